import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

test("B4: help for an unknown command is an error with exit code 2", async () => {
  const { code, out, err } = await runCli(["help", "nosuch"]);
  expect({ code, out }).toEqual({ code: 2, out: "" });
  expect(err).toBe("secondwind: unknown command 'nosuch'\nSee: secondwind --help\n");
  expect((await runCli(["help", "keys", "nosuch"])).err).toContain("unknown command 'keys nosuch'");
  expect(await runCli(["keys", "help", "nosuch"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("unknown command 'nosuch'"),
  });
});

test("B4: help prints the page of a command and of its subcommands", async () => {
  expect((await runCli(["help", "ask"])).out).toContain("Usage: secondwind ask");
  const { code, out } = await runCli(["help", "keys", "add"]);
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringContaining("Usage: secondwind keys add") });
  expect((await runCli(["help"])).out).toContain("help [command...]");
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";

let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "secondwind-quota-"));
});
afterAll(() => rm(home, { recursive: true, force: true }));

test.each(["default", "session", "console", "background"])(
  "E17: ask -p %s ends at once when the quota of both keys is used up, in every process",
  async (policy) => {
    // The second process must not wait for what the first one has learned.
    for (let process = 0; process < 2; process++) {
      const end = await runCli(["ask", "-m", "sim/quota", "-p", policy, "hi"], "", { HOME: home });
      expect(end).toEqual({
        code: 1,
        out: "",
        err: expect.stringMatching(
          /^No answer after [12] attempts?: 400 Bad Request: Your credit balance is too low .+\n$/,
        ),
      });
    }
  },
  20_000,
);

import { describe, expect, test } from "vitest";
import { parseCommand } from "../../src/hosts/rpc/parse-command.ts";

const SECRET = "sk-secret-0123456789";
const redact = <T>(value: T): T => (typeof value === "string" ? value.replaceAll(SECRET, "[key]") : value) as T;
const line = (id: string): string => `{"id":${id},"type":"abort"}`;
const parsed = (id: string) => JSON.parse(JSON.stringify(parseCommand(line(id), redact))) as unknown;

describe("the id of a command", () => {
  test.each([
    '"1"',
    '""',
    '"0"',
    '"\\ud800"',
    '"\\u0000"',
    '"é\\n\\"{}"',
    "0",
    "-1",
    "7",
    "9007199254740991",
    "-9007199254740991",
  ])("S9: %s comes back as it was sent", (id) => {
    expect(parsed(id)).toEqual({ id: JSON.parse(id), type: "abort" });
  });

  test.each([
    "-0",
    "1.0",
    "1.5",
    "1e3",
    "1e400",
    "-1e400",
    "1e-400",
    "1.00000000000000000001",
    "9007199254740992",
    "9007199254740993",
    "123456789012345678901234567890",
    "null",
    "true",
    "false",
    "{}",
    '{"id":0}',
    "[]",
    "[1]",
    '"\uFFFD"',
    `"${SECRET}"`,
  ])("S9: a line with the id %s is refused, without an id", (id) => {
    const allowed = "a string, or a whole number from -9007199254740991 to 9007199254740991 in plain digits";
    expect(parsed(id)).toEqual({
      type: "response",
      command: "abort",
      success: false,
      error: expect.stringMatching(/^id must /),
    });
    if (!id.startsWith('"')) expect(parsed(id)).toMatchObject({ error: expect.stringContaining(allowed) });
    expect(JSON.stringify(parsed(id))).not.toContain(SECRET);
  });

  test("S9: a number in another field or in a text does not stand in for the id", () => {
    expect(parseCommand('{"id":1e-400,"type":"prompt","message":"\\"id\\":0,"}', redact)).toMatchObject({
      success: false,
    });
    expect(parseCommand('{"type":"prompt","message":"{\\"id\\":1.5}","id" : 3 }', redact)).toEqual({
      id: 3,
      type: "prompt",
      message: '{"id":1.5}',
    });
  });

  test("S9: an invalid command still gets its valid id back", () => {
    expect(parseCommand('{"id":0,"type":"prompt"}', redact)).toMatchObject({
      id: 0,
      command: "prompt",
      success: false,
    });
    expect(parseCommand('{"id":"","type":"nonsense"}', redact)).toMatchObject({ id: "", command: "nonsense" });
  });
});

import { Command } from "commander";
import { expect, test } from "vitest";
import { addConsoleCommand } from "../../../src/hosts/console/console-command.ts";
import { classify } from "../../../src/kernel/index.ts";
import { consolePolicy } from "../../../src/presets/index.ts";
import { drive } from "../../kernel/decide/drive.ts";

const MANY = 9;

/** How often the policy tries again after a status that comes for ever. */
function retriesAfter(status: number): number {
  const failure = classify({ status, message: `HTTP ${status}` }, { wallNowMs: 0 });
  return drive({ policy: consolePolicy(), attempt: () => failure, most: MANY }).waits.length;
}

function helpText(): string {
  const program = new Command();
  addConsoleCommand(program, () => undefined);
  let text = "";
  program.commands[0]?.configureOutput({ writeOut: (piece) => (text += piece) }).outputHelp();
  return text;
}

test("C2: --help lists exactly the statuses that are retried without limit, three times and never", () => {
  const [, endless = "", thrice = "", never = ""] =
    /Unlimited:(.*?)Three times:(.*?)Never:(.*?)\n\n/s.exec(helpText()) ?? [];
  const named = (text: string): number[] => (text.match(/\b[45]\d\d\b/g) ?? []).map(Number);
  const all = Array.from({ length: 200 }, (_, index) => 400 + index);
  const retried = (count: number): number[] => all.filter((status) => retriesAfter(status) === count);
  expect(named(endless).sort()).toEqual(retried(MANY));
  expect(thrice).toContain("every other 5xx");
  const others = retried(3);
  expect(named(thrice)).toEqual(others.filter((status) => status < 500));
  expect(never).toContain("every other 4xx");
  expect(retried(0).filter((status) => status >= 500)).toEqual([500]);
  expect(retried(0)).toEqual(expect.arrayContaining(named(never)));
  expect(retried(MANY).length + others.length + retried(0).length).toBe(all.length);
});

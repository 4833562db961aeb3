import { Command } from "commander";
import { expect, test } from "vitest";
import { addServeCommand } from "../../src/hosts/serve/serve-command.ts";
import { serverDocuments } from "./server-document.ts";

test("K6: docs/openapi.json and the tables of docs/server.md are what the server has (npm run docs writes them)", async () => {
  for (const { is, shouldBe } of await serverDocuments()) expect(unformatted(is)).toEqual(unformatted(shouldBe));
});

test("K6: the summary of every route is an imperative", async () => {
  const [{ is } = { is: "" }] = await serverDocuments();
  const { paths } = JSON.parse(is) as { paths: Record<string, Record<string, { summary: string }>> };
  const summaries = Object.values(paths).flatMap((methods) => Object.values(methods).map(({ summary }) => summary));
  expect(summaries.length).toBeGreaterThan(20);
  const verbs =
    /^(?:Abort|Accept|Add|Answer|Cancel|Change|Check|Delete|Download|End|Estimate|Explain|Follow|Get|List|Log|Open|Read|Rename|Replace|Run|Send|Set|Sum)\b/;
  expect(summaries.filter((summary) => !verbs.test(summary))).toEqual([]);
});

/** The formatter breaks JSON into lines and pads the columns of tables in its way. */
function unformatted(text: string): unknown {
  if (text.startsWith("{")) return JSON.parse(text);
  return text.replace(/ +\|/g, " |").replace(/-{3,}/g, "---");
}

test("K5: docs/server.md names every option of the command", async () => {
  const program = new Command();
  addServeCommand(program, () => undefined);
  const [, { is } = { is: "" }] = await serverDocuments();
  for (const { long } of program.commands[0]?.options ?? []) expect(is).toContain(`\`${long}`);
});

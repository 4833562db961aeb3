import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { InvalidInput } from "../src/kernel/index.ts";
import { parseNumber } from "../src/terminal/parse-number.ts";
import { command } from "./command.ts";
import { drawPicture, type Verdict } from "./draw-picture.ts";

const USAGE = `Usage: npm run picture -- verdict.json [options]

Draws the verdict of npm run judge (--out verdict.json) as an SVG.

  --clients N    the size to draw (default: 1000)
  --out FILE     (default: docs/images/lab.svg)`;

await command(async (args) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { clients: { type: "string" }, out: { type: "string" }, help: { type: "boolean" } },
  });
  const [file] = positionals;
  if (values.help === true) {
    console.log(USAGE);
    return 0;
  }
  if (file === undefined || positionals.length > 1) {
    throw new InvalidInput("picture", positionals.join(" "), "one file written by npm run judge -- --out FILE");
  }
  const clients = parseNumber("--clients", values.clients ?? "1000", { min: 1, max: 20_000, integer: true });
  const out = values.out ?? "docs/images/lab.svg";
  writeFileSync(out, drawPicture(JSON.parse(readFileSync(file, "utf8")) as Verdict, clients));
  console.log(out);
  return 0;
});

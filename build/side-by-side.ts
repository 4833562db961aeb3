/** `side-by-side.ts <script> …`: runs npm scripts at the same time. Prints the output of each when it ends; fails if one fails. */
import { spawn } from "node:child_process";

const codes = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = codes.every((code) => code === 0) ? 0 : 1;

function run(script: string): Promise<number | null> {
  const child = spawn("npm", ["run", "--silent", script], { stdio: ["ignore", "pipe", "pipe"] });
  const startMs = performance.now();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
      process.stdout.write(`${code === 0 ? "✓" : "✗"} ${script} (${seconds} s)\n${output}`);
      resolve(code);
    });
  });
}

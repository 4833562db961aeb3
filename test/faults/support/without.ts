import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Client } from "./clients.ts";
import type { Outcome } from "./outcome.ts";

/** A cell of the matrix. */
export interface Named {
  readonly fault: { readonly model: string; readonly title: string };
  readonly client: Client;
  readonly isStreaming: boolean;
}

const PATH = fileURLToPath(new URL("../without.json", import.meta.url));

/** What is seen without Secondwind, as the SDKs were last found. `npm run docs` writes it. */
export function readWithout(): Readonly<Record<string, string>> {
  return existsSync(PATH) ? (JSON.parse(readFileSync(PATH, "utf8")) as Record<string, string>) : {};
}

export function writeWithout(results: readonly (Named & { readonly bare: Outcome })[]): void {
  const own = results.filter(({ client }) => client.door !== "gateway");
  const words = Object.fromEntries(own.map((result) => [nameOf(result), result.bare.words]));
  writeFileSync(PATH, `${JSON.stringify(words, null, 2)}\n`);
}

export function nameOf({ fault, client, isStreaming }: Named): string {
  return `${fault.title}, ${client.door}, ${client.format}${isStreaming ? "" : ", no stream"}`;
}

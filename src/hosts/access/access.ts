import { accessFilePath, addAccessKey, readAccessFile, removeAccessKey } from "../../credentials/index.ts";
import { cleanText } from "../../terminal/index.ts";

/** `secondwind access add`. Returns the exit code. */
export async function addCommand(name: string): Promise<number> {
  const key = await addAccessKey(accessFilePath(process.env), name);
  // The key alone on stdout, so that it can be piped.
  process.stderr.write(`Access key of ${name}, shown only now:\n`);
  process.stdout.write(`${key}\n`);
  return 0;
}

/** `secondwind access list` */
export async function listCommand({ json }: { readonly json?: boolean }): Promise<number> {
  const keys = readAccessFile(accessFilePath(process.env)).map(({ name, createdAt }) => ({
    name: cleanText(name),
    createdAt: new Date(createdAt).toISOString(),
  }));
  if (json === true) {
    process.stdout.write(`${JSON.stringify(keys)}\n`);
    return 0;
  }
  if (keys.length === 0) process.stdout.write("No access keys. Create one with: secondwind access add NAME\n");
  const width = Math.max(0, ...keys.map(({ name }) => name.length));
  for (const { name, createdAt } of keys)
    process.stdout.write(`${name.padEnd(width)}  created ${createdAt.slice(0, 16).replace("T", " ")} UTC\n`);
  return 0;
}

/** `secondwind access remove` */
export async function removeCommand(name: string): Promise<number> {
  await removeAccessKey(accessFilePath(process.env), name);
  process.stdout.write(`Removed ${name}\n`);
  return 0;
}

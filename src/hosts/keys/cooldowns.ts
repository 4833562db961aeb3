import { existsSync } from "node:fs";
import { defaultStorePath, openStore, readCooldownKey, type StoredCooldown, timeLeftMs } from "../../store/index.ts";
import { cleanText, openTerminal, sayDuration } from "../../terminal/index.ts";

/** `secondwind keys cooldowns`. Returns the exit code. */
export async function cooldownsCommand({ clear }: { readonly clear?: boolean }): Promise<number> {
  const { write } = openTerminal(process.stdout, process.env);
  const path = defaultStorePath(process.env);
  // Listing does not create a store.
  const store = existsSync(path) ? await openStore({ path }) : undefined;
  try {
    const nowMs = Date.now();
    const kept = (await store?.cooldowns.list(nowMs)) ?? [];
    if (clear === true && kept.length > 0) {
      for (const { key } of kept) await store?.cooldowns.remove(key);
      write(`Deleted: ${kept.length}. Running programs keep their own copy until they exit.\n`);
      return 0;
    }
    const lines = cooldownLines(kept, nowMs);
    write(lines.length === 0 ? "No cooldowns.\n" : lines.map((line) => `${line}\n`).join(""));
    return 0;
  } finally {
    await store?.close();
  }
}

/** The longest first, without those that no host would respect. */
function cooldownLines(kept: readonly StoredCooldown[], nowMs: number): readonly string[] {
  const current = kept
    .flatMap((cooldown) => {
      const cooling = readCooldownKey(cooldown.key);
      const leftMs = timeLeftMs(cooldown, nowMs);
      return cooling === undefined || leftMs === 0 ? [] : [{ ...cooling, leftMs }];
    })
    .sort((a, b) => b.leftMs - a.leftMs);
  const names = current.map(({ target: { provider, model, credential } }) =>
    cleanText(`${provider}/${model}${credential === "" ? "" : ` with ${credential}`}`),
  );
  const width = Math.max(0, ...names.map((name) => name.length));
  return current.map(({ leftMs }, place) => {
    const until = new Date(nowMs + leftMs).toISOString().slice(0, 16).replace("T", " ");
    return `${names[place]?.padEnd(width)}  for ${sayDuration(leftMs)}, until ${until} UTC`;
  });
}

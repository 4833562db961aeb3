import { isLoopback } from "./allowed-host.ts";

/** Throws if the server would be open to other machines without a key. */
export function checkExposure({ host, needsKey }: { readonly host: string; readonly needsKey: boolean }): void {
  if (needsKey || isLoopback(host)) return;
  throw new Error(
    `--host ${host} lets other machines use this server, so an access key is required. Create one with: secondwind access add NAME (or set SECONDWIND_KEY)`,
  );
}

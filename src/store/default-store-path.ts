import { userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

const STORE_FILE = "secondwind.db";

/** SECONDWIND_HOME, else the XDG data folder, else ~/.local/share. An empty variable counts as not set. */
export function defaultStorePath(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const { SECONDWIND_HOME: own, XDG_DATA_HOME: data, HOME: home = "" } = env;
  if (own) return join(own, STORE_FILE);
  // The XDG rules ignore a relative path.
  if (data && isAbsolute(data)) return join(data, "secondwind", STORE_FILE);
  return join(isAbsolute(home) ? home : userInfo().homedir, ".local", "share", "secondwind", STORE_FILE);
}

import { spawn } from "node:child_process";

interface Surroundings {
  readonly platform: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { readonly isTTY?: boolean };
}

/** Whether a person sits in front of a desktop: not in CI, in a pipe, or at the other end of ssh. */
export function canOpenBrowser({ platform, env, stdout }: Surroundings): boolean {
  if (stdout.isTTY !== true || (env.CI ?? "") !== "") return false;
  const hasDisplay = Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY);
  const isRemote = Boolean(env.SSH_CONNECTION) || Boolean(env.SSH_TTY);
  if (platform === "darwin" || platform === "win32") return !isRemote;
  return hasDisplay;
}

/** Tries to. If it fails, the address is on the screen. */
export function openBrowser(url: string, platform: string = process.platform): void {
  const [command, ...args] = commandFor(platform, url);
  const child = spawn(command, args, { detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
}

function commandFor(platform: string, url: string): readonly [string, ...string[]] {
  if (platform === "darwin") return ["open", url];
  // `start` is a word of the shell; its first argument in quotes would be the window's title.
  if (platform === "win32") return ["cmd", "/c", "start", "", url];
  return ["xdg-open", url];
}

/** Paths that begin at the host: those with a version, what Claude Code asks the host itself for, and where Google takes files. */
const OF_THE_HOST = /^\/(?:v1(?:beta|alpha)?\d*(?:\/|$)|(?:api|oauth|upload)\/)/;
const VERSION = /\/v\d[^/]*$/;

/** A path behind that of a base URL. SDKs of one format have the version in their base URL, those of another in their paths. */
export function joinPath({ pathname }: URL, path: string): string {
  const own = pathname.replace(/\/+$/, "");
  return (OF_THE_HOST.test(path) ? own.replace(VERSION, "") : own) + path;
}

import { InvalidInput } from "../kernel/index.ts";
import { recogniseCall } from "./recognise-call.ts";

/** A URL from a documentation's `curl` example has the path of a call, to which that path would be added again. */
export function checkBaseUrl(field: string, { origin, pathname, href }: URL): void {
  const path = pathname.replace(/\/+$/, "");
  const call = recogniseCall("POST", path);
  if (call === undefined) return;
  throw new InvalidInput(field, href, `without the path of a call: ${origin}${path.slice(0, call.pathAt)}`);
}

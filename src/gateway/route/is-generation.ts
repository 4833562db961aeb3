import { recogniseCall } from "../../formats/index.ts";

/** Whether a request asks a model for something, by its method and path. */
export function isGeneration(method: string, path: string): boolean {
  return recogniseCall(method, path) !== undefined;
}

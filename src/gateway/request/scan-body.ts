import { type RequestScan, scanRequest } from "../../formats/index.ts";

const BEYOND_ASCII = /[^\0-\x7f]/;

/** Finds model and stream in a body. `text`: the body with one character for each byte. Places count bytes. */
export function scanBody(body: Buffer, text: string): RequestScan {
  // Only the model's name may have to be read as what it is.
  const scan = scanRequest(text);
  const { model, from, to } = scan;
  if (model === undefined || !BEYOND_ASCII.test(model)) return scan;
  return { ...scan, model: JSON.parse(body.toString("utf8", from, to)) as string };
}

/** The same body for another model: all other bytes stay. */
export function bodyWithModel(body: Buffer, { model, from, to }: RequestScan, other: string): Buffer {
  if (model === undefined) return body;
  return Buffer.concat([body.subarray(0, from), Buffer.from(JSON.stringify(other)), body.subarray(to)]);
}

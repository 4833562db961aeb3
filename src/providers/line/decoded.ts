import { pipeline, type Readable } from "node:stream";

/** The body as it was before it was compressed. We do not ask for that; some servers and proxies do it all the same. */
export async function decoded(body: Readable, encoding: string | null): Promise<Readable> {
  if (encoding === null || !/^(?:x-)?(?:gzip|deflate|br)$/i.test(encoding)) return body;
  // Loaded when it is needed, which is hardly ever.
  const { brotli, unzip } = await import("./decoders.ts");
  // Whatever goes wrong destroys both, and is told by the decoder.
  return pipeline(body, /br/i.test(encoding) ? brotli() : unzip(), () => undefined);
}

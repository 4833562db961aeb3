import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Handler } from "../listener/route-request.ts";
import { sendError } from "../listener/send-error.ts";
import type { PageFile } from "./page-files.ts";

const COMPRESSIBLE = /^(?:text\/|application\/(?:json|manifest)|image\/svg)/;
const FEWEST_BYTES = 1000;

type Encoding = "br" | "gzip";

/** Answers every path that nothing else has taken with a file of the page, or with the page itself: its routes are the browser's. */
export function servePage(files: ReadonlyMap<string, PageFile>): Handler {
  const packed = new Map<string, Promise<Buffer>>();
  const pack = (path: string, { content }: PageFile, encoding: Encoding): Promise<Buffer> => {
    const key = `${encoding} ${path}`;
    const known = packed.get(key) ?? compress(content, encoding);
    packed.set(key, known);
    return known;
  };
  return {
    accepts: () => true,
    handle: (request, response) => {
      if (request.method !== "GET" && request.method !== "HEAD") {
        response.setHeader("allow", "GET, HEAD");
        return sendError(response, { status: 405, message: "Method not allowed. Allowed: GET, HEAD" });
      }
      const path = pathOf(request);
      const place = path !== undefined && files.has(path) ? path : isPage(path) ? "/index.html" : undefined;
      const file = place === undefined ? undefined : files.get(place);
      if (place === undefined || file === undefined) return sendError(response, { status: 404, message: "Not found" });
      const encoding = encodingFor(request, file);
      void send(request, response, { file, encoding, pack: () => pack(place, file, encoding as Encoding) });
    },
  };
}

interface Sending {
  readonly file: PageFile;
  readonly encoding: Encoding | undefined;
  readonly pack: () => Promise<Buffer>;
}

async function send(
  request: IncomingMessage,
  response: ServerResponse,
  { file, encoding, pack }: Sending,
): Promise<void> {
  response.setHeader("etag", file.etag);
  response.setHeader("vary", "accept-encoding");
  response.setHeader("cache-control", file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache");
  if (request.headers["if-none-match"] === file.etag) return void response.writeHead(304).end();
  const body = encoding === undefined ? file.content : await pack();
  response.writeHead(200, {
    "content-type": file.type,
    "content-length": body.length,
    ...(encoding !== undefined && { "content-encoding": encoding }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function pathOf({ url = "" }: IncomingMessage): string | undefined {
  try {
    return decodeURIComponent(url.split("?", 1)[0] as string);
  } catch {
    return undefined;
  }
}

/** A file that is missing must not be answered with the page: a browser would take it for a script. */
function isPage(path: string | undefined): boolean {
  return path !== undefined && !path.startsWith("/assets/") && !/\.\w{1,12}$/.test(path);
}

function encodingFor({ headers }: IncomingMessage, { type, content }: PageFile): Encoding | undefined {
  if (content.length < FEWEST_BYTES || !COMPRESSIBLE.test(type)) return undefined;
  const accepted = String(headers["accept-encoding"] ?? "")
    .split(",")
    .filter((one) => !/;\s*q=0(?:\.0*)?\s*$/.test(one))
    .map((one) => one.split(";", 1)[0]?.trim().toLowerCase());
  return (["br", "gzip"] as const).find((one) => accepted.includes(one));
}

function compress(content: Buffer, encoding: Encoding): Promise<Buffer> {
  if (encoding === "gzip") return promisify(gzip)(content, { level: 9 });
  // Of the eleven levels, the ones above take ten times as long for a few percent.
  return promisify(brotliCompress)(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
}

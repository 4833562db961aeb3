import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { HeldBack } from "../../../../credentials/held-back.ts";
import { Redactor } from "../../../../credentials/redactor.ts";
import { isGeneration } from "../../../../gateway/route/is-generation.ts";
import type { PieceRedactor } from "../../../../wire/index.ts";
import { keyIn } from "../../guard/judge-gateway.ts";
import { BodyFolder } from "./body-folder.ts";
import { BodyPart } from "./body-part.ts";
import { tapResponse } from "./tap-response.ts";

/** Of one body. */
const MOST_BODY_BYTES = 256 * 1024;
/** Of all bodies that are under way: 2,000 requests at a time are allowed. */
const MOST_HELD_BYTES = 64 * 1024 * 1024;

interface RecorderParts {
  readonly folder: BodyFolder;
  /** Takes the secrets of the server out of a text. */
  readonly redactPieces: () => PieceRedactor;
}

interface OpenParts {
  /** Tells the person who runs the server. */
  readonly say: (text: string) => void;
  readonly redactPieces: (() => PieceRedactor) | undefined;
}

const noRedactor = (): PieceRedactor => new HeldBack(new Redactor());

/** Throws if the folder can't be made. */
export function openRecorder(path: string, { say, redactPieces = noRedactor }: OpenParts): BodyRecorder {
  const folder = new BodyFolder(path, (fault) =>
    say(`--record-bodies can't write to ${path}: ${fault instanceof Error ? fault.message : String(fault)}`),
  );
  return new BodyRecorder({ folder, redactPieces });
}

/** Writes down what generations asked and got, for debugging. It listens to a request and its response; the gateway knows nothing of it. */
export class BodyRecorder {
  private readonly folder: BodyFolder;
  private readonly redactPieces: () => PieceRedactor;
  private held = 0;

  constructor({ folder, redactPieces }: RecorderParts) {
    this.folder = folder;
    this.redactPieces = redactPieces;
  }

  /** To be called before the request is handled. */
  follow(request: IncomingMessage, response: ServerResponse, client: string | undefined): void {
    const { method = "", url = "" } = request;
    const [path = ""] = url.split("?", 1);
    if (!isGeneration(method, path)) return;
    const startedAt = new Date();
    const key = keyIn(request.headers, url);
    const asked = this.part();
    request.on("data", (chunk: Buffer) => asked.add(chunk));
    const given = this.part();
    const head = tapResponse(response, given);
    response.once("close", () => {
      const clean = (part: BodyPart): object => this.view(part, key);
      const { status, id } = head();
      const record = {
        id,
        startedAt: startedAt.toISOString(),
        ms: Date.now() - startedAt.getTime(),
        ...(client !== undefined && { client }),
        method,
        path,
        request: clean(asked),
        response: { ...(status !== undefined && { status }), isWhole: response.writableFinished, ...clean(given) },
      };
      const stamp = record.startedAt.replace(/[-:.]/g, "");
      this.folder.write(`${stamp}-${id ?? randomUUID()}.json`, `${JSON.stringify(record, null, 2)}\n`);
      this.held -= asked.size + given.size;
    });
  }

  /** Resolves when everything is written. */
  flushed(): Promise<void> {
    return this.folder.flushed();
  }

  private part(): BodyPart {
    let left = MOST_BODY_BYTES;
    return new BodyPart((wanted) => {
      const room = Math.min(wanted, left, MOST_HELD_BYTES - this.held);
      left -= room;
      this.held += room;
      return room;
    });
  }

  /** An end that may be the beginning of a secret is left out. */
  private view(part: BodyPart, key: string | undefined): object {
    const { bytes, isCut, text } = part;
    if (text === undefined) return { bytes, body: null, note: "no text" };
    const own = new Redactor();
    if (key !== undefined) own.add({ id: "of the client", secret: key });
    let clean = text;
    for (const pieces of [this.redactPieces(), new HeldBack(own)])
      clean = pieces.push(clean) + (isCut ? "" : pieces.flush());
    return { bytes, ...(isCut && { note: "cut" }), body: clean };
  }
}

import type { ServerResponse } from "node:http";
import type { BodyPart } from "./body-part.ts";

interface SentHead {
  readonly status: number | undefined;
  /** Of the generation. */
  readonly id: string | undefined;
}

const ID_HEADER = "x-secondwind-id";

/** Copies what is written to a response. Returns a function that tells its status, once it has one, and the id in its headers. */
export function tapResponse(response: ServerResponse, body: BodyPart): () => SentHead {
  let id: string | undefined;
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  const write = response.write.bind(response) as (...given: unknown[]) => boolean;
  const end = response.end.bind(response) as (...given: unknown[]) => ServerResponse;
  Object.assign(response, {
    writeHead: (...given: unknown[]) => {
      const headers = given.find(Array.isArray) as readonly unknown[] | undefined;
      const at = headers?.indexOf(ID_HEADER) ?? -1;
      if (at !== -1) id = String(headers?.[at + 1]);
      return writeHead(...given);
    },
    write: (...given: unknown[]) => {
      body.add(given[0], given[1]);
      return write(...given);
    },
    end: (...given: unknown[]) => {
      body.add(given[0], given[1]);
      return end(...given);
    },
  });
  return () => ({ status: response.headersSent ? response.statusCode : undefined, id });
}

import { parseJson } from "./fields.ts";

/** The forms that every SDK reads: a name or none, data on one line, LF or CRLF. */
const PLAIN = /^(?:event: [^\r\n]*\r?\n)?data: [^\r\n]*\r?\n\r?\n$/;
const DATA_LINE = /(?:^\uFEFF?|[\r\n])(?:data|error:)/;
const LINE_END = /\r\n|\r|\n/;

export function isPlainEvent(event: string): boolean {
  return PLAIN.test(event);
}

/** A comment or a blank line: it keeps the connection alive and says nothing. */
export function isSilent(event: string): boolean {
  return !event.startsWith("data") && !DATA_LINE.test(event);
}

/** The data of an event, its lines joined. Line ends in JSON are white space. */
export function dataOf(event: string): string {
  // Nearly all events are one line of data.
  if (event.startsWith("data: ") && event.indexOf("\n") === event.length - 2 && !event.includes("\r"))
    return event.slice(6, -2);
  return fieldsOf(event, "data").join(" ");
}

/** llama.cpp sends an error in a field named `error`, without data. */
export function errorOf(event: string): unknown {
  return parseJson(fieldsOf(event, "error").join(" "));
}

/** The same event in the plain form. */
export function rewriteEvent(event: string): string {
  const name = fieldsOf(event, "event").at(-1);
  return `${name === undefined ? "" : `event: ${name}\n`}data: ${dataOf(event)}\n\n`;
}

/** Names that the formats give to their events; `message` is the default of server-sent events. Others may carry anything. */
const KNOWN_NAME = /^(?:$|message|content_block|response|error|ping)/;

export function isOfAFormat(event: string): boolean {
  return KNOWN_NAME.test(fieldsOf(event, "event").at(-1) ?? "");
}

function fieldsOf(event: string, field: string): readonly string[] {
  return event
    .replace(/^\uFEFF/, "")
    .split(LINE_END)
    .flatMap((line) => {
      if (!line.startsWith(field)) return [];
      const rest = line.slice(field.length);
      if (rest === "") return [""];
      if (!rest.startsWith(":")) return [];
      return [rest.startsWith(": ") ? rest.slice(2) : rest.slice(1)];
    });
}

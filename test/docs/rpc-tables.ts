import { rpcCommandSchema } from "../../src/wire/index.ts";
import { rpcDataSchemas, rpcResponseSchema, sessionEventSchema } from "../wire/session-schemas.ts";
import { type Json, membersOf, nameOf, table, toJson } from "./schema-tables.ts";

/** The tables of docs/rpc.md, made from the schemas that the host itself uses. */
export function rpcTables(): Readonly<Record<"commands" | "responses" | "events", string>> {
  return {
    commands: membersOf(rpcCommandSchema)
      .map((command) => section(command, dataOf(nameOf(command))))
      .join("\n\n"),
    responses: table(toJson(rpcResponseSchema)),
    events: membersOf(sessionEventSchema)
      .map((event) => section(event))
      .join("\n\n"),
  };
}

/** Every name on the wire: commands, events, and all their fields. */
export function rpcWords(): readonly string[] {
  const shapes = [...membersOf(rpcCommandSchema), ...membersOf(sessionEventSchema), toJson(rpcResponseSchema)];
  return [...new Set(shapes.flatMap((shape) => [nameOf(shape), ...Object.keys(shape.properties ?? {})]))];
}

function dataOf(command: string): Json | undefined {
  const schema = Object.entries(rpcDataSchemas).find(([name]) => name === command)?.[1];
  return schema && toJson(schema);
}

function section(shape: Json, data?: Json): string {
  const body = table(shape);
  const answer = data === undefined ? "" : `\n\nResponse \`data\`:\n\n${table(data)}`;
  return `### \`${nameOf(shape)}\`\n\n${body}${answer}`;
}

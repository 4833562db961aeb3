import { z } from "zod";
import { rpcCommandSchema } from "../../src/wire/index.ts";
import { rpcDataSchemas, rpcResponseSchema, sessionEventSchema } from "../wire/session-schemas.ts";

interface Json {
  readonly [key: string]: unknown;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
  readonly items?: Json;
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly pattern?: string;
}

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

function toJson(schema: z.ZodType): Json {
  return z.toJSONSchema(schema) as Json;
}

function membersOf(schema: z.ZodType): readonly Json[] {
  const { oneOf, anyOf } = toJson(schema);
  return oneOf ?? anyOf ?? [];
}

function nameOf({ properties }: Json): string {
  return String(properties?.type?.const);
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

function table({ properties = {}, required = [] }: Json): string {
  const rows = Object.entries(properties)
    .filter(([name, { const: fixed }]) => name !== "type" || fixed === undefined)
    .map(([name, field]) => [
      `\`${name}\`${required.includes(name) ? "" : "?"}`,
      sayType(field),
      String(field.description ?? ""),
    ]);
  if (rows.length === 0) return "No fields.";
  return align([["field", "type", ""], ...rows]);
}

function sayType(field: Json): string {
  if (field.const !== undefined) return `\`${JSON.stringify(field.const)}\``;
  if (field.enum !== undefined) return field.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" · ");
  const members = field.anyOf ?? field.oneOf;
  if (members?.some(({ properties }) => properties?.role !== undefined)) return "a message";
  if (members !== undefined) return members.map(sayType).join(" or ");
  if (field.pattern?.includes("/") === true) return "`provider/model`";
  if (field.type === "array") return `list of ${sayType(field.items ?? {}).replace(/^a /, "")}s`;
  return typeof field.type === "string" ? field.type : (field.type?.join(" or ") ?? "anything");
}

/** Columns of one width, so that the file reads well as it is. */
function align(rows: readonly (readonly string[])[]): string {
  const widths = [0, 1, 2].map((column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

import { z } from "zod";

export interface Json {
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

export function toJson(schema: z.ZodType): Json {
  return z.toJSONSchema(schema) as Json;
}

export function membersOf(schema: z.ZodType): readonly Json[] {
  const { oneOf, anyOf } = toJson(schema);
  return oneOf ?? anyOf ?? [];
}

/** The value of its field `type`. */
export function nameOf({ properties }: Json): string {
  return String(properties?.type?.const);
}

/** Its fields, one row each. */
export function table({ properties = {}, required = [] }: Json): string {
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

import { fieldOf, listOf, recordOf } from "../dialects/read-json.ts";

const DEEPEST = 8;

/** A value that fits a JSON schema, the same one every time. Gemini spells its types in capitals. */
export function sampleValue(schema: unknown, depth = 0): unknown {
  const options = [...listOf(fieldOf(schema, "enum")), fieldOf(schema, "const")].filter((one) => one !== undefined);
  if (options.length > 0) return options[0];
  const branches = [...listOf(fieldOf(schema, "anyOf")), ...listOf(fieldOf(schema, "oneOf"))];
  if (branches.length > 0) return sampleValue(branches[0], depth + 1);
  const named = fieldOf(schema, "type");
  const type = String(Array.isArray(named) ? named[0] : (named ?? "object")).toLowerCase();
  switch (type) {
    case "string":
      return sampleString(schema);
    case "integer":
    case "number":
      return fieldOf(schema, "minimum") ?? 7;
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return depth > DEEPEST ? [] : [sampleValue(fieldOf(schema, "items"), depth + 1)];
    default:
      return depth > DEEPEST ? {} : sampleObject(schema, depth);
  }
}

function sampleObject(schema: unknown, depth: number): Readonly<Record<string, unknown>> {
  const properties = Object.entries(recordOf(fieldOf(schema, "properties")));
  return Object.fromEntries(properties.map(([name, inner]) => [name, sampleValue(inner, depth + 1)]));
}

function sampleString(schema: unknown): string {
  switch (fieldOf(schema, "format")) {
    case "date-time":
      return "2026-01-01T00:00:00Z";
    case "date":
      return "2026-01-01";
    default:
      return "Reykjavík";
  }
}

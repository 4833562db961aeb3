/** The AI SDK's types import these, and bring them along in most projects (`@types/json-schema`). */
declare module "json-schema" {
  export type JSONSchema7 = Readonly<Record<string, unknown>>;
  export type JSONSchema7Definition = JSONSchema7 | boolean;
}

import { checkArray, checkBoolean, checkNumber, checkObject, checkOneOf, checkString } from "../model/check.ts";
import { FAILURE_KINDS } from "../model/failure.ts";
import { InvalidInput } from "../model/invalid-input.ts";
import type { ClassifyRule, ContentRequirement } from "../model/policy.ts";
import { whyInvalid, whyUnusable } from "./scan-pattern.ts";

/** The policy's own classifications. Each must have at least one condition, else it would swallow every failure. */
export function checkClassifyRules(value: unknown): readonly ClassifyRule[] {
  return checkArray("policy.classify", value).map((raw, index) => {
    const field = `policy.classify[${index}]`;
    const rule = checkObject(field, raw, ["name", "when", "kind", "retryable"]);
    const when = checkObject(`${field}.when`, rule.when, ["status", "code", "text", "provider"]);
    if (Object.values(when).every((condition) => condition === undefined)) {
      throw new InvalidInput(`${field}.when`, rule.when, "an object with at least one of status, code, text, provider");
    }
    const checked: ClassifyRule = {
      name: checkString(`${field}.name`, rule.name),
      when: {
        ...(when.status !== undefined && {
          status: checkNumber(`${field}.when.status`, when.status, { min: 100, max: 599, integer: true }),
        }),
        ...(when.code !== undefined && { code: checkText(`${field}.when.code`, when.code) }),
        ...(when.text !== undefined && { text: checkText(`${field}.when.text`, when.text) }),
        ...(when.provider !== undefined && { provider: checkText(`${field}.when.provider`, when.provider) }),
      },
      kind: checkOneOf(`${field}.kind`, rule.kind, FAILURE_KINDS),
      ...(rule.retryable !== undefined && { retryable: checkBoolean(`${field}.retryable`, rule.retryable) }),
    };
    return checked;
  });
}

/** A pattern that can't be used would accept every answer, so it is refused here, as far as that can be known without the engine. */
export function checkRequirement(value: unknown): ContentRequirement | null {
  if (value === null) return null;
  const given = checkObject("policy.require", value, ["text", "pattern", "flags"]);
  if (given.pattern === undefined) {
    checkObject("policy.require", value, ["text"]);
    return { text: checkText("policy.require.text", given.text) };
  }
  checkObject("policy.require", value, ["pattern", "flags"]);
  const pattern = checkText("policy.require.pattern", given.pattern);
  const flags = given.flags === undefined ? undefined : checkString("policy.require.flags", given.flags);
  if (flags !== undefined && /[^imsgu]/.test(flags)) {
    throw new InvalidInput("policy.require.flags", flags, "made of i, m and s");
  }
  const unusable = whyUnusable(pattern, "")?.replace(/\.$/, "");
  if (unusable !== undefined) {
    throw new InvalidInput("policy.require.pattern", pattern, `a usable pattern, but it ${unusable}`);
  }
  const invalid = whyInvalid(pattern);
  if (invalid !== undefined) {
    throw new InvalidInput("policy.require.pattern", pattern, `a valid regular expression (${invalid})`);
  }
  return flags === undefined ? { pattern } : { pattern, flags };
}

function checkText(field: string, value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  throw new InvalidInput(field, value, "a non-empty string");
}

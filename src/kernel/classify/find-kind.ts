import { contradicts } from "./contradicts.ts";
import { type Facts, isFailing } from "./facts.ts";
import { codeInText, type FoundCode, weightiestCode } from "./find-code.ts";
import { isNotJsonError } from "./not-json.ts";
import { kindOfNumber } from "./numeric-codes.ts";
import { refine } from "./refine.ts";
import { kindOfStatus } from "./status-table.ts";
import { matchText, NETWORK } from "./text-rules.ts";
import { type Case, type Verdict, verdict } from "./verdict.ts";

/** Beside a status only the start of a text is searched for codes: further on, providers echo the request. */
const CODES_BESIDE_STATUS = 300;

/** Structure first (code, then status), text last; then the wordings that overturn a first impression. */
export function findKind(c: Case): Verdict {
  const first = fromCode(c) ?? fromNotJson(c) ?? fromStatus(c) ?? fromGenericCode(c);
  if (first !== undefined) return refine(first, c);
  return fromText(c);
}

function fromCode(c: Case): Verdict | undefined {
  const { status } = c;
  const { codes, texts } = c.facts;
  const given = weightiestCode(codes, status);
  if (given !== undefined && !given.meaning.generic) return decidedBy(given);
  for (const code of codes) {
    const kind = kindOfNumber(code, c.provider);
    if (kind !== undefined && !contradicts(status, kind))
      return { ...verdict(kind, `code:${code}`), code, isSpecific: true };
  }
  const mentioned = codeInText(status === undefined ? texts : texts.slice(0, CODES_BESIDE_STATUS), status);
  return mentioned === undefined || mentioned.meaning.generic ? undefined : decidedBy(mentioned);
}

/**
 * A good status with a body that is no JSON: a proxy's page, a broken event (E15b). Ahead of what the page says, which may be
 * anything ("Login required", "Error 404"); behind a failing status it means nothing, since error pages are no JSON either.
 */
function fromNotJson(c: Case): Verdict | undefined {
  const { facts } = c;
  if (isFailing(facts.status)) return undefined;
  const program = programErrorOf(facts);
  if (program !== undefined)
    return isNotJsonError(program, c.text) ? verdict("stream_broken", "text:not-json") : undefined;
  const given = weightiestCode(facts.codes, undefined);
  return given?.meaning.kind === "stream_broken" ? decidedBy(given) : undefined;
}

function fromStatus(c: Case): Verdict | undefined {
  if (c.status === undefined) return undefined;
  return BY_STATUS[c.status - 400];
}

/** A verdict for every failing status, made once: the commonest case allocates none. */
const BY_STATUS: readonly Verdict[] = Array.from({ length: 200 }, (_, i) =>
  verdict(kindOfStatus(400 + i), `status:${400 + i}`),
);

function fromGenericCode(c: Case): Verdict | undefined {
  const found = weightiestCode(c.facts.codes, undefined) ?? codeInText(c.facts.texts, undefined);
  return found === undefined ? undefined : decidedBy(found);
}

function decidedBy(found: FoundCode): Verdict {
  const { kind, retryable, generic } = found.meaning;
  const evidence = /^E(?!RR_)[A-Z_]{3,}$|^UND_ERR/.test(found.code) ? `errno:${found.code}` : `code:${found.code}`;
  return { ...verdict(kind, evidence, retryable), code: found.code, isSpecific: !generic };
}

function fromText(c: Case): Verdict {
  const program = programErrorOf(c.facts);
  if (program !== undefined && !NETWORK.pattern.test(c.text)) return verdict("unknown", `program:${program}`);
  const unread = verdict("unknown", "unknown");
  const refined = refine(unread, c);
  if (refined !== unread) return refined;
  const rule = matchText(c.text, !c.facts.hasName);
  return rule === undefined ? unread : refine(verdict(rule.kind, `text:${rule.name}`, rule.retryable), c);
}

/** A class of errors that bugs throw, if the problem is such an error. */
function programErrorOf({ programError, texts }: Facts): string | undefined {
  return programError ?? /^(?:TypeError|ReferenceError|RangeError|SyntaxError)(?=:)/.exec(texts)?.[0];
}

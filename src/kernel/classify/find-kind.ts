import { codeInText, type FoundCode, weightiestCode } from "./find-code.ts";
import { kindOfNumber } from "./numeric-codes.ts";
import { refine } from "./refine.ts";
import { kindOfStatus } from "./status-table.ts";
import { NETWORK, TEXT_RULES } from "./text-rules.ts";
import { type Case, type Verdict, verdict } from "./verdict.ts";

/** Beside a status only the start of a text is searched for codes: further on, providers echo the request. */
const CODES_BESIDE_STATUS = 300;

/** Structure first (code, then status), text last; then the wordings that overturn a first impression. */
export function findKind(c: Case): Verdict {
  const first = fromCode(c) ?? fromStatus(c) ?? fromGenericCode(c);
  if (first !== undefined) return refine(first, c);
  return fromText(c);
}

function fromCode(c: Case): Verdict | undefined {
  const { codes, texts } = c.facts;
  const given = weightiestCode(codes);
  if (given !== undefined && !given.meaning.generic && !isForeignAbort(given, c)) return decidedBy(given);
  for (const code of codes) {
    const kind = kindOfNumber(code, c.provider);
    if (kind !== undefined) return { ...verdict(kind, `code:${code}`), code, isSpecific: true };
  }
  const mentioned = codeInText(c.status === undefined ? texts : texts.slice(0, CODES_BESIDE_STATUS));
  if (mentioned === undefined || mentioned.meaning.generic || isForeignAbort(mentioned, c)) return undefined;
  return decidedBy(mentioned);
}

/** "CANCELLED" in an answer is the endpoint's own business; only an abort without any answer is ours. */
function isForeignAbort(found: FoundCode, c: Case): boolean {
  return found.meaning.kind === "aborted" && c.status !== undefined;
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
  const found = weightiestCode(c.facts.codes) ?? codeInText(c.facts.texts);
  return found === undefined ? undefined : decidedBy(found);
}

function decidedBy(found: FoundCode): Verdict {
  const { kind, retryable, generic } = found.meaning;
  const evidence = /^E(?!RR_)[A-Z_]{3,}$|^UND_ERR/.test(found.code) ? `errno:${found.code}` : `code:${found.code}`;
  return { ...verdict(kind, evidence, retryable), code: found.code, isSpecific: !generic };
}

function fromText(c: Case): Verdict {
  const { programError, texts } = c.facts;
  const program = programError ?? /^(?:TypeError|ReferenceError|RangeError|SyntaxError)(?=:)/.exec(texts)?.[0];
  if (program !== undefined && !NETWORK.pattern.test(c.text)) return verdict("unknown", `program:${program}`);
  const unread = verdict("unknown", "unknown");
  const refined = refine(unread, c);
  if (refined !== unread) return refined;
  for (const rule of TEXT_RULES) {
    if (rule.pattern.test(c.text)) return refine(verdict(rule.kind, `text:${rule.name}`, rule.retryable), c);
  }
  return unread;
}

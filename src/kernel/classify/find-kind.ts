import type { FailureKind } from "../model/failure.ts";
import { CUT_ANSWER } from "./broken-answer.ts";
import { isTabled } from "./code-table.ts";
import { contradicts } from "./contradicts.ts";
import { type Facts, isFailing } from "./facts.ts";
import { codeInText, type FoundCode, weightiestCode } from "./find-code.ts";
import { isNotJsonError, NOT_JSON } from "./not-json.ts";
import { kindOfNumber, numberInText } from "./numeric-codes.ts";
import { isOwnCrash, isTraceOfCrash } from "./own-crash.ts";
import { refine } from "./refine.ts";
import { kindOfStatus } from "./status-table.ts";
import { matchText, NETWORK } from "./text-rules.ts";
import { type Case, type Verdict, verdict } from "./verdict.ts";

/** Beside a status only the start of a text is searched for codes: further on, providers echo the request. */
const CODES_BESIDE_STATUS = 300;

/** Structure first (code, then status), text last; then the wordings that overturn a first impression. */
export function findKind(c: Case): Verdict {
  const first = fromCode(c) ?? fromNotJson(c) ?? fromStatus(c) ?? (c.facts.isEmptyAnswer ? EMPTY_ANSWER : undefined);
  if (first !== undefined) return cutIfBegun(refine(first, c), c);
  // A code that says no more than a status says less than a telling sentence.
  const isEmpty = c.facts.codes.length === 0 && (isOwnCrash(c.text) || SAYS_NOTHING.test(c.text));
  const generic = isEmpty ? undefined : fromGenericCode(c);
  const said = isTraceOfCrash(c.facts.texts) ? OWN_CRASH : fromText(c);
  if (generic === undefined || (said.weight === 3 && said.kind !== generic.kind)) return cutIfBegun(said, c);
  // "upstream_error" with "invalid header": what is wrong with the request says more than who complained.
  if (generic.kind === "server" && said.kind === "bad_request") return said;
  return refine(generic, c);
}

/** A class around these words adds nothing to them. */
const SAYS_NOTHING = /(?:^|[:\n] ?)unknown error\W{0,8}$/;
const EMPTY_ANSWER = verdict("stream_broken", "structure:empty-answer");

/** A proxy that streams says so of the way to its upstream. */
const NEVER_BEGAN = /refused|not running|resolve|no such host|unreachable|connect to/;

/** With a good status an answer had begun: what broke then is the answer. */
function cutIfBegun(found: Verdict, { hasBegun, text }: Case): Verdict {
  if (!hasBegun || found.kind !== "network" || found.evidence.startsWith("errno:") || NEVER_BEGAN.test(text))
    return found;
  return { ...found, kind: "stream_broken" };
}

function fromCode(c: Case): Verdict | undefined {
  const { ownStatus: status } = c;
  const { codes, texts } = c.facts;
  const given = weightiestCode(codes, status);
  if (given !== undefined && !given.meaning.generic) return decidedBy(given);
  const numbered = fromNumber(c);
  if (numbered !== undefined) return numbered;
  const mentioned = codeInText(status === undefined ? texts : startOf(texts), status);
  if (mentioned === undefined || mentioned.meaning.generic) return undefined;
  // A client that calls an answer a failed connection still had an answer.
  if (mentioned.meaning.kind === "network" && status !== undefined && !NETWORK.pattern.test(c.text)) return undefined;
  // A class of an SDK stands for the status that it was made from; what it wraps knows more.
  const isClass = /(?:error|exception)$/i.test(mentioned.code);
  if (isClass && !isUnread(c.text)) {
    // The same for one that could not read the answer, which was an error.
    if (mentioned.meaning.kind === "stream_broken" && status !== undefined) return undefined;
    // A class that no table lists: what the message says comes first.
    if (!isTabled(mentioned.code)) return undefined;
  }
  if (isClass && status === undefined && isOwnCrash(c.text)) return OWN_CRASH;
  return isClass ? { ...decidedBy(mentioned), weight: 2 } : decidedBy(mentioned);
}

function isUnread(text: string): boolean {
  return CUT_ANSWER.test(text) || NOT_JSON.test(text);
}

/** litellm and others dress up whatever their own code trips over as a failed call. */
const OWN_CRASH = verdict("unknown", "text:own-crash");

/** Half of a code at the cut may look like another one. */
function startOf(texts: string): string {
  if (texts.length <= CODES_BESIDE_STATUS) return texts;
  return texts.slice(0, CODES_BESIDE_STATUS).replace(/\w{1,96}$/, "");
}

/** A number of the provider's own, in its place or in words. */
function fromNumber({ facts, ownStatus, provider }: Case): Verdict | undefined {
  const said = numberInText(facts.texts, provider);
  for (const code of said === undefined ? facts.codes : [...facts.codes, said]) {
    const kind = kindOfNumber(code, provider);
    if (kind !== undefined && !contradicts(ownStatus, kind))
      return { ...verdict(kind, `code:${code}`), code, isSpecific: true };
  }
  return undefined;
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
const BY_STATUS: readonly Verdict[] = Array.from({ length: 200 }, (_, i) => ({
  ...verdict(kindOfStatus(400 + i), `status:${400 + i}`),
  weight: 2,
}));

function fromGenericCode(c: Case): Verdict | undefined {
  const found = weightiestCode(c.facts.codes, undefined) ?? codeInText(c.facts.texts, undefined);
  return found === undefined ? undefined : decidedBy(found);
}

function decidedBy(found: FoundCode): Verdict {
  const { kind, retryable, generic } = found.meaning;
  const evidence = /^E(?!RR_)[A-Z_]{3,}$|^UND_ERR/.test(found.code) ? `errno:${found.code}` : `code:${found.code}`;
  const weight = generic ? 1 : 3;
  return { ...verdict(kind, evidence, retryable), code: found.code, isSpecific: !generic, weight };
}

function fromText(c: Case): Verdict {
  const program = programErrorOf(c.facts);
  if (program !== undefined && !NETWORK.pattern.test(c.text)) return verdict("unknown", `program:${program}`);
  const unread: Verdict = { ...verdict("unknown", "unknown"), weight: 0 };
  const refined = refine(unread, c);
  if (refined !== unread) return refined;
  const rule = matchText(c.text, !c.facts.hasName);
  if (rule === undefined || (rule.name === "server" && ASKS_FOR_HELP.test(c.text) && !SAYS_MORE.test(c.text)))
    return CUT_HEADLINE.test(c.facts.texts) ? { ...verdict("stream_broken", "text:stream-broken"), weight: 1 } : unread;
  const first = verdict(rule.kind, `text:${rule.name}`, rule.retryable);
  // What else the sentence speaks of only came of it.
  if (rule.name === "blamed") return first;
  return refine(isVague(rule) ? { ...first, weight: 1 } : first, c);
}

/** Codex' headline for any cause: where none follows, it is all there is. */
const CUT_HEADLINE = /stream disconnected before completion: /i;
/** Says that something failed, and whom to tell; nothing about trying again. */
const ASKS_FOR_HELP = /contact (?:the |your |an? )?(?:admin|support)/;
const SAYS_MORE = /retry|again|server|internal|upstream/;

function isVague({ kind, name }: { readonly kind: FailureKind; readonly name: string }): boolean {
  return kind === "server" || kind === "bad_request" || name.startsWith("concept-");
}

/** A class of errors that bugs throw, if the problem is such an error. */
function programErrorOf({ programError, texts }: Facts): string | undefined {
  return programError ?? /^(?:TypeError|ReferenceError|RangeError|SyntaxError)(?=:)/.exec(texts)?.[0];
}

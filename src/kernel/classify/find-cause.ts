import { type Facts, isFailing } from "./facts.ts";
import { findKind } from "./find-kind.ts";
import { findStatus, innerStatus, reportedStatus } from "./find-status.ts";
import { plainText } from "./plain-text.ts";
import type { Case, Verdict } from "./verdict.ts";

/** A page in lower case, below the headlines of the AI SDK. */
const PAGE = /^[^<]{0,80}<(?:!doctype )?html\b/;

/**
 * The verdict on the innermost layer that shows a cause; else the innermost status; else what the whole comes to. An outer
 * layer (an agent's prefix, a class of an SDK, a proxy's 502) only counts where nothing inside it says more.
 */
export function findCause(c: Case): Verdict {
  const { layers, names } = c.facts;
  // Where an answer was due, a page may say anything ("Login required"): that it is no JSON comes first (E15b).
  if (c.hasBegun && names.includes("AI_JSONParseError") && PAGE.test(c.text)) return findKind(c);
  let plain: Verdict | undefined;
  let vague: Verdict | undefined;
  for (let i = layers.length - 1; i >= 0; i--) {
    const inner = caseOf(layers[i] as Facts, c);
    const found = findKind(inner);
    // A structure that broke off before its message: the words are further out.
    const isWordless =
      found.kind === "bad_request" && inner.facts.message === undefined && inner.facts.codes.length > 0;
    if (found.weight === 3 && !isWordless) return found;
    if (found.weight === 2 && inner.ownStatus !== undefined) plain ??= found;
    if (found.weight === 1) vague ??= found;
  }
  const outer = findKind(c);
  if (outer.weight === 3) return outer;
  return plain ?? (outer.weight <= 1 ? vague : undefined) ?? outer;
}

function caseOf(layer: Facts, whole: Case): Case {
  const text = plainText(layer.texts);
  // Only unknown fields (`{ retries: 3, signal: undefined }`): the status and the words around them belong to something else.
  const { message, codes, isEmptyAnswer } = layer;
  if ((message ?? layer.status ?? codes[0]) === undefined && !isEmptyAnswer)
    return { ...whole, facts: layer, status: undefined, ownStatus: undefined, text };
  const own = isFailing(layer.status) ? innerStatus(layer.status, layer.texts) : statusInWords(layer, whole);
  return { ...whole, facts: layer, status: own ?? whole.status, ownStatus: own, text };
}

/** A page where an answer was due may say anything, "Error 404" too. */
function statusInWords({ lead, texts }: Facts, { hasBegun }: Case): number | undefined {
  return reportedStatus(findStatus(lead), texts) ?? (hasBegun ? undefined : reportedStatus(findStatus(texts), texts));
}

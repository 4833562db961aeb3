import type { FailureKind } from "../../../kernel/index.ts";
import type { ExampleId } from "../pages/why/examples.ts";
import type { Texts } from "./language.ts";
import { WHY_ZH } from "./why-zh.ts";

const en = {
  title: "What does this error mean?",
  intro:
    "Paste what the provider sent: status, headers, body, or just the message. It stays on this computer; keys are masked.",
  paste: "The error",
  placeholder: 'HTTP/1.1 429 Too Many Requests\nretry-after: 20\n\n{"error": {"message": "…"}}',
  provider: "Provider",
  providerOf: (name: string) => `Provider: ${name}`,
  anyProvider: "unknown",
  recognised: "Recognised from the text",
  automatic: "from the text",
  clear: "Clear",
  examples: "Try one of these",
  exampleNames: {
    overloaded: "529 Overloaded",
    rate: "429 Rate limit",
    quota: "Quota used up",
    context: "Context too long",
    hangUp: "socket hang up",
    html: "502 with HTML",
    key: "401 wrong key",
  } as Readonly<Record<ExampleId, string>>,
  recent: "Recent errors",
  recentHelp: "From the activity of this server, which does not record the provider's words.",
  noRecent: "None recorded.",
  status: (status: number) => `HTTP ${status}`,
  noStatus: "no status",
  fromActivity: (time: string) => `from activity, ${time}`,
  empty: "The explanation appears here while you type.",
  refused: (why: string) => `This can't be read: ${why}`,
  loadFailed: "The classifier could not be loaded. Reload the page.",
  helps: {
    yes: "Waiting helps",
    soon: (time: string) => `about ${time}`,
    usually: "usually",
    notSoon: "Not soon",
    no: "Waiting does not help",
    unclear: "Unclear",
  },
  whoActs: "Who has to act",
  howLong: "How long",
  whatHelps: "What helps",
  words: "In its words",
  decidedBy: "Decided by",
  asAsked: (time: string) => `${time}, as the provider asks`,
  notSaid: "The provider does not say. The policy's schedule decides.",
  source: (header: string) => `(${header})`,
  sourceAndText: (header: string, time: string) => `(${header}; the text says ${time}, the longer one counts)`,
  neverFits: "This request alone exceeds the limit.",
  verdict: (kind: string, scope: string, retryable: boolean) => ({
    kind,
    rest: `, scope ${scope}, ${retryable ? "retryable" : "not retryable"}`,
  }),
  noEvidence: "nothing in the error",
  wouldDo: "What Secondwind would do",
  inUse: "in use",
  copyText: "Copy as text",
  copyJson: "Copy as JSON",
  /** English comes with the engine's own explanations. */
  explained: undefined as
    | Readonly<Record<FailureKind, { readonly whoActs: string; readonly remedy: string }>>
    | undefined,
};

export type WhyTexts = typeof en;
export const WHY_TEXTS: Texts<WhyTexts> = { en, zh: WHY_ZH };

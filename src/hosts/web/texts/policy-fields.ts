import type { PolicyPath } from "../pages/policies/policy-path.ts";
import { POLICY_FIELDS_ZH } from "./policy-fields-zh.ts";

/** The words for one field. */
export interface FieldTexts {
  readonly label: string;
  readonly help: string;
  /** What an empty field means, where it may be empty. */
  readonly empty?: string;
  /** The values to choose from, by their name in the data, each with what it does. */
  readonly choices?: Readonly<Record<string, { readonly label: string; readonly help?: string }>>;
}

export type PolicyFieldTexts = Readonly<Record<PolicyPath, FieldTexts>>;

const RULE = {
  action: {
    label: "What to do",
    help: "About a failure that this rule applies to.",
    choices: {
      retry: { label: "Wait and retry", help: "On a schedule, with the same model." },
      elsewhere: { label: "Another key or model", help: "At once, because waiting does not help." },
      "hand-over": { label: "Hand over", help: "The application shortens the conversation." },
      stop: { label: "Stop", help: "The error is final." },
    },
  },
  schedule: { label: "On the schedule", help: "Which schedule gives the delays and counts the retries." },
  delay: {
    label: "Delay",
    help: "A failure that already took its time needs no delay.",
    choices: {
      schedule: { label: "From the schedule" },
      none: { label: "None", help: "Retries at once; the retry still counts." },
    },
  },
  when: {
    label: "Retry",
    help: "Whether the classifier decides for each error.",
    choices: {
      retryable: { label: "If it can help", help: "Errors that no retry can cure are final." },
      always: { label: "Always", help: "Even where the classifier expects no success." },
    },
  },
  maxDelayMs: {
    label: "Longest wait for this rule",
    help: "Replaces the limit of the whole policy.",
    empty: "the limit of the policy",
  },
  otherwise: {
    label: "With no other key or model",
    help: "What to do if there is nothing to switch to.",
    choices: {
      stop: { label: "Stop" },
      wait: { label: "Wait if the provider says how long", help: "Else stop." },
      retry: { label: "Retry on the schedule" },
    },
  },
} as const satisfies Readonly<Record<string, FieldTexts>>;

const en: PolicyFieldTexts = {
  name: { label: "Name", help: "Shown in lists, receipts and explanations." },
  enabled: { label: "Retry at all", help: "Off: every generation is one plain call." },
  "schedules.*.type": {
    label: "Schedule",
    help: "How the delays grow from one retry to the next.",
    choices: {
      exponential: { label: "Exponential", help: "Each delay is the last one times a factor." },
      fibonacci: { label: "Fibonacci", help: "1, 2, 3, 5 … times a unit: grows gently." },
      stepped: { label: "Steps", help: "The delays that you list; the last one repeats." },
      fixed: { label: "Fixed", help: "The same delay every time." },
    },
  },
  "schedules.*.jitter": {
    label: "Jitter",
    help: "Spreads delays at random, so that clients do not return in step.",
    choices: {
      none: { label: "None", help: "Exactly the delay: clients may return in step." },
      full: { label: "Full", help: "Anywhere from 0 to the delay, so clients do not return in step." },
      equal: { label: "Equal", help: "Anywhere from half the delay to the delay." },
      decorrelated: { label: "Decorrelated", help: "Anywhere from the first delay to three times the last one." },
    },
  },
  "schedules.*.baseMs": { label: "First delay", help: "Before retry 1." },
  "schedules.*.factor": { label: "Each further delay ×", help: "1 or more.", empty: "2" },
  "schedules.*.unitMs": { label: "Unit", help: "The first delay.", empty: "1 s" },
  "schedules.*.repeatFirst": { label: "Repeat the first delay", help: "1, 1, 2, 3, 5 instead of 1, 2, 3, 5." },
  "schedules.*.stepsMs[]": { label: "Delays", help: "One after another, separated by commas: 5, 10, 30, 2 min." },
  "schedules.*.delayMs": { label: "Delay", help: "Before every retry." },
  "schedules.*.capMs": {
    label: "Longest delay",
    help: "No delay of this schedule is longer. Fibonacci without it: 5 units.",
    empty: "no limit",
  },
  "schedules.*.atMost": { label: "Retries", help: "At most; the first call is not one.", empty: "no limit" },
  "schedules.*.budgetMs": {
    label: "All delays together",
    help: "The schedule ends before their sum would be longer.",
    empty: "no limit",
  },
  honourHints: {
    label: "Wait as long as the provider asks",
    help: "Reads retry-after and its relatives. Up to the limit below.",
  },
  maxDelayMs: {
    label: "Fail at once if the wait is over",
    help: "A longer wait is pointless: the generation ends with the provider's error, unless another model is free.",
    empty: "no limit",
  },
  patienceMs: {
    label: "Patience",
    help: "The longest time that a generation waits in all. The calls themselves do not count.",
    empty: "no limit",
  },
  "fallback.when": {
    label: "Try the next model",
    help: "For a failure that waiting may cure as well.",
    choices: {
      immediate: { label: "At once", help: "No wait while another model is free." },
      "long-wait": { label: "For a long wait", help: "Short waits are made, for long ones the next model is tried." },
      "after-retries": { label: "After the retries", help: "Only when every retry is used up." },
    },
  },
  "fallback.longWaitMs": {
    label: "A wait is long from",
    help: "With “For a long wait”: one longer wait goes to the next model.",
  },
  "fallback.patienceMs": {
    label: "All waits for one model",
    help: "With “For a long wait”: once its waits would add up to more, the next model is tried.",
    empty: "no limit",
  },
  "fallback.triesPerFallback": {
    label: "Calls to each further model",
    help: "With “After the retries”: in all.",
    empty: "as many as the schedules allow",
  },
  "fallback.movesCount": { label: "A switch uses up a retry", help: "Off: changing the key or model is free." },
  "fallback.revert": {
    label: "Return to the first model",
    help: "Once its cooldown is over.",
    choices: {
      "cooldown-expiry": { label: "After its cooldown" },
      never: { label: "Never", help: "The generation stays with the model that works." },
    },
  },
  "fallback.cooldownMs": {
    label: "Cooldown",
    help: "How long a model or key is left out after a switch, if the provider does not say.",
  },
  "watchdog.firstContentMs": {
    label: "First word after",
    help: "A call without any content for this long is cancelled and retried. Without streaming: the limit of the whole call.",
    empty: "waits for ever",
  },
  "watchdog.idleMs": {
    label: "Next word after",
    help: "An answer that stops growing for this long is cancelled. Keep-alives do not count, reasoning does.",
    empty: "waits for ever",
  },
  afterContent: {
    label: "An answer that breaks off",
    help: "After some of it was already shown.",
    choices: {
      stop: { label: "Ends with an error", help: "What was shown stays. Never repeats text." },
      restart: { label: "Starts again", help: "Only where the application can take back what was shown." },
    },
  },
  sameServerError: {
    label: "The same HTTP 500 in a row",
    help: "The same body this many times is a defect, not a hiccup: no more retries with this model.",
    empty: "never hopeless",
  },
  guessRetries: {
    label: "Retries after a vague error",
    help: "Where only a vague sentence suggests that trying again helps.",
    empty: "as after any other",
  },
  breaker: {
    label: "Breaker",
    help: "Cuts off a provider that hardly answers, then lets one call through to see whether it is back. Shared by all generations.",
  },
  "breaker.failures": { label: "Failures in a row", help: "At least so many before it opens." },
  "breaker.leastShare": {
    label: "and fewer answers than",
    help: "Share of the latest calls. Among many calls a few failures in a row are chance.",
  },
  "breaker.cooldownMs": { label: "First probe after", help: "How long it stays open before one call is let through." },
  "breaker.maxCooldownMs": { label: "Probes at least every", help: "Each failed probe doubles the pause, up to this." },
  "breaker.rampMs": {
    label: "Recovery",
    help: "After a good probe calls return step by step, for this long at most. 0: all at once.",
  },
  budget: {
    label: "Retry budget",
    help: "Each retry takes a token; successes and time put them back. Without a token a retry waits. Shared by all generations.",
  },
  "budget.capacity": { label: "Tokens", help: "At the start and at most." },
  "budget.capacitySeconds": {
    label: "or answers of so many seconds",
    help: "With much traffic: as many tokens as calls are usually answered in this time, if that is more.",
  },
  "budget.refillPerSuccess": {
    label: "Per success",
    help: "Tokens that each success puts back. 0.1: one retry for ten successes.",
  },
  "budget.refillPerSecond": {
    label: "Per second",
    help: "Tokens that each second puts back at least, so that no retry waits for ever.",
  },
  require: { label: "Required content", help: "An answer without it counts as failed and is retried." },
  "require.text": { label: "Text", help: "The answer must contain it exactly." },
  "require.pattern": {
    label: "Regular expression",
    help: "Without look-around and back-references, so that it can't be slow.",
  },
  "require.flags": {
    label: "Flags",
    help: "i: ignore case, m: ^ and $ for each line, s: . matches line breaks.",
    empty: "none",
  },
  "rules.*.action": RULE.action,
  "rules.*.schedule": RULE.schedule,
  "rules.*.delay": RULE.delay,
  "rules.*.when": RULE.when,
  "rules.*.maxDelayMs": RULE.maxDelayMs,
  "rules.*.otherwise": RULE.otherwise,
  "statuses.*.action": RULE.action,
  "statuses.*.schedule": RULE.schedule,
  "statuses.*.delay": RULE.delay,
  "statuses.*.when": RULE.when,
  "statuses.*.maxDelayMs": RULE.maxDelayMs,
  "statuses.*.otherwise": RULE.otherwise,
  "classify[].name": { label: "Name", help: "Shown in explanations." },
  "classify[].when.status": { label: "HTTP status", help: "100 to 599.", empty: "any" },
  "classify[].when.code": { label: "Code", help: "The provider's type or code.", empty: "any" },
  "classify[].when.text": { label: "Text", help: "Contained in the message, in any case.", empty: "any" },
  "classify[].when.provider": { label: "Provider", help: "Its name, such as openai.", empty: "any" },
  "classify[].kind": { label: "Counts as", help: "The kind of failure, whose rule applies." },
  "classify[].retryable": {
    label: "A retry helps",
    help: "What the classifier then says of it.",
    empty: "as usual for the kind",
    choices: { true: { label: "Yes" }, false: { label: "No" } },
  },
  filter: { label: "Only some generations", help: "Chosen by the id that the application gives them." },
  "filter.mode": {
    label: "Retry",
    help: "What the list means.",
    choices: {
      blacklist: { label: "All but these" },
      whitelist: { label: "Only these" },
    },
  },
  "filter.ids[]": { label: "Generation ids", help: "One per line. An empty line stands for calls without an id." },
};

export const POLICY_FIELDS = { en, zh: POLICY_FIELDS_ZH };

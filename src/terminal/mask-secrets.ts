const MASK = "[masked]";

/** Keys with a known prefix. The prefix stays, so a reader can recognize which key it was. */
const BY_PREFIX =
  /\b(sk-(?:ant-|proj-|or-)?|(?:pk|rk|xai|gsk|pplx|nvapi|fw|r8|hf|tgp|csk)[-_]|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AIza|ya29\.|AKIA|ASIA|eyJ)[\w*.+/=-]{8,}/g;
/** Everything after the name of an authentication scheme. */
const BY_SCHEME = /\b(bearer|basic)(\s{1,4})[\w*.+/=~-]{6,}/gi;
/**
 * A long run with a digit, soon after a word that announces a secret: "Incorrect API key provided: 0123…",
 * `"access_token":"…"`, `authorization: …`, `?key=…`.
 */
const BY_NAME =
  /(key|token|secret|password|authorization|credential)("?(?:[\s:='"]|\bis\b|\bprovided\b){1,16})(?=[a-z_*.+/=-]{0,200}\d)[\w*.+/=-]{16,}/gi;

/** Masks everything that looks like an API key or a password. Linear: every repetition before a choice is bounded. */
export function maskSecrets(text: string): string {
  return text
    .replace(BY_SCHEME, `$1$2${MASK}`)
    .replace(BY_PREFIX, (whole, prefix: string) => (hasVariety(whole) ? `${prefix}${MASK}` : whole))
    .replace(BY_NAME, `$1$2${MASK}`);
}

/** "sk-or-swim" is a word; a key has digits, capitals or stars in it. */
function hasVariety(text: string): boolean {
  return /[\dA-Z*]/.test(text.slice(2));
}

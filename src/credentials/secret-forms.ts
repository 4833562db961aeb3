/** Shorter texts are not secrets: no provider issues such keys, and "sim" would be removed from every "simulated". */
export const FEWEST_SECRET_CHARS = 8;
/** Shorter parts of a base64 text could be anything. */
const FEWEST_BASE64_CHARS = 8;

/** Every form in which a secret may appear, longest first. */
export function secretForms(secret: string): readonly string[] {
  if (secret.length < FEWEST_SECRET_CHARS) return [];
  const escaped = escapedForms(secret);
  const plain = [secret, ...escaped, ...escaped.map((form) => form.replaceAll("/", "\\/")), asciiEscaped(secret)];
  const encoded = [...urlForms(secret), ...base64Forms(secret).flatMap((form) => [form, ...urlForms(form)])];
  const forms = new Set([...plain, ...encoded]);
  return [...forms].sort((a, b) => b.length - a.length);
}

/** A body that quotes a request is JSON in JSON, and so is the log that quotes the body. */
const DEEPEST_QUOTE = 4;

function escapedForms(secret: string): readonly string[] {
  const forms = [jsonEscaped(secret)];
  while (forms.length < DEEPEST_QUOTE) forms.push(jsonEscaped(forms.at(-1) ?? ""));
  return forms;
}

function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** As many JSON writers outside JavaScript do it. */
function asciiEscaped(text: string): string {
  return jsonEscaped(text).replace(
    /[\u007f-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function urlForms(text: string): readonly string[] {
  // Half of a surrogate pair can't be sent in a URL at all.
  const encoded = encodeURIComponent(Buffer.from(text, "utf8").toString("utf8"));
  // Forms write a space as a plus; hexadecimal digits come in both cases.
  const lower = encoded.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
  const strict = encoded.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return [encoded, lower, strict, encoded.replaceAll("%20", "+")];
}

/**
 * Base64 encodes three bytes as four characters, so a secret inside a longer text has three forms, by where it begins. The
 * characters at its edges mix with its neighbours' bits and are not part of the form.
 */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, "utf8");
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const from = Math.ceil((before * 8) / 6);
    const to = Math.floor(((before + bytes.length) * 8) / 6);
    const core = text.slice(from, to);
    if (core.length < FEWEST_BASE64_CHARS) continue;
    forms.push(core, core.replaceAll("+", "-").replaceAll("/", "_"));
  }
  return forms;
}

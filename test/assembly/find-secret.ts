/** So many characters of a key in a row are too many. */
const TELLING = 12;

/** Where a secret shows in a text: any longer part of it, as it is, escaped, URL-encoded, or in something that is base64. */
export function findSecret(text: string, secret: string): readonly string[] {
  const decoded = [
    text,
    text.replaceAll("\\", ""),
    text.replace(/%[0-9a-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16))),
    ...base64Parts(text),
  ];
  const parts = Array.from({ length: secret.length - TELLING + 1 }, (_, at) => secret.slice(at, at + TELLING));
  return parts.filter((part) => decoded.some((form) => form.includes(part)));
}

/** Whatever looks like base64, from each of the four places where a group of it may begin. */
function base64Parts(text: string): readonly string[] {
  const words = text.match(/[\w+/-]{16,}/g) ?? [];
  return words.flatMap((word) =>
    [0, 1, 2, 3].map((from) =>
      Buffer.from(word.slice(from).replaceAll("-", "+").replaceAll("_", "/"), "base64").toString("latin1"),
    ),
  );
}

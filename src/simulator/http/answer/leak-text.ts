/** A text that contains the key in the forms in which debug pages, proxies and models leak it. */
export function leakText(key: string): string {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  return [
    `Overloaded. Your request was: authorization: Bearer ${key}`,
    `x-api-key=${key}`,
    `authorization: Basic ${base64(`user:${key}`)}`,
    `token ${base64(key)}`,
    `url https://sim.invalid/v1?key=${encodeURIComponent(key)}&alt=sse`,
    `json ${JSON.stringify(JSON.stringify({ key }))}`,
  ].join(" ; ");
}

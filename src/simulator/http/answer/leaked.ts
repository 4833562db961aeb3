/** A sentence with the key in it, as debug pages, proxies and careless models write it down. */
export function leaked(key: string): string {
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

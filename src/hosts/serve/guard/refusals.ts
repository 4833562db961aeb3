/** Why a request goes no further, as its answer says. Constant: nothing of the request is repeated. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

export const REFUSALS = {
  target: { status: 400, message: "The request target must be a path" },
  host: {
    status: 403,
    message: "This host name is not allowed. To allow it, start the server with: secondwind serve --allow-host NAME",
  },
  origin: { status: 403, message: "Requests from other sites are not allowed" },
  page: { status: 403, message: "Web pages cannot use the gateway" },
  "key-missing": {
    status: 401,
    message: "An access key is required. Send it as the header Authorization: Bearer KEY",
  },
  "key-wrong": { status: 401, message: "The access key is not valid" },
  "too-many-wrong-keys": { status: 429, message: "Too many requests with a wrong access key. Try again in a minute" },
  token: {
    status: 403,
    message: "The header x-secondwind-token must have the token of GET /api/session (on the WebSocket: ?token=)",
  },
} as const satisfies Readonly<Record<string, Refusal>>;

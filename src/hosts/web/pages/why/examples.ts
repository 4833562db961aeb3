/** Errors to try, as providers send them. */
export const EXAMPLES = [
  {
    id: "overloaded",
    text: 'HTTP/1.1 529\nrequest-id: req_011CSHoEeqs5C35K2UUqR7Fy\n\n{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
  },
  {
    id: "rate",
    text: 'HTTP/1.1 429 Too Many Requests\nretry-after: 20\nx-ratelimit-remaining-tokens: 0\n\n{"error":{"message":"Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 28750, Requested 4100. Please try again in 5.7s.","type":"tokens","code":"rate_limit_exceeded"}}',
  },
  {
    id: "quota",
    text: 'HTTP/1.1 429 Too Many Requests\n\n{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}',
  },
  {
    id: "context",
    text: `HTTP/1.1 400 Bad Request\n\n{"error":{"message":"This model's maximum context length is 128000 tokens. However, your messages resulted in 140245 tokens.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`,
  },
  { id: "hangUp", text: "Error: socket hang up" },
  {
    id: "html",
    text: "HTTP/1.1 502 Bad Gateway\ncontent-type: text/html\n\n<html>\n<head><title>502 Bad Gateway</title></head>\n<body><center><h1>502 Bad Gateway</h1></center><hr><center>nginx</center></body>\n</html>",
  },
  {
    id: "key",
    text: 'HTTP/1.1 401 Unauthorized\n\n{"error":{"message":"Incorrect API key provided: sk-proj-************************3f9A. You can find your API key in your account settings.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}',
  },
] as const;

export type ExampleId = (typeof EXAMPLES)[number]["id"];

import { wording } from "./wording.ts";

/** What engines write when a text is no JSON. V8 (old and new), JavaScriptCore and Hermes, SpiderMonkey, in this order. */
export const NOT_JSON = wording(
  /(?:in|after) json at |unexpected end of json input|"(?:\.\.\.)? is not valid json/,
  // Spring puts its complaints about a request in the same words.
  /json parse error: (?!cannot|invalid utf)/,
  /json\.parse: /,
  // Python, Go, Rust, Java.
  /expecting (?:value|property name)[^\n]{0,20}: line \d|extra data: line \d|jsondecode|invalid character '[^\n]{1,8}' (?:looking for|after|in)/,
  /expected value at line \d|eof while parsing|error decoding response body|(?:decode|parse|parsing|read) (?:the )?(?:server )?(?:sse|stream|chunk)\b/,
  // Lua, Ruby, Swift, Elixir, Emacs, .NET, Java, Haskell.
  /expected (?:value|object key string|the end) but found|json::parsererror|unexpected byte at position|json-(?:readtable|end-of-file|parse)|does not contain any json tokens|a json(?:object|array) text must (?:begin|start)|unexpected json token|jsonreader\.setlenient|error in \$[:.[]|trailing characters at line|html (?:page )?instead of|decode a blank string|expected json[^\n]{0,24}html|html[^\n]{0,40}json (?:was )?expected/,
  /malformedjson|unterminated string in json|pars(?:e|ing) chunk|json deserialization|cannot unmarshal (?![^\n]{0,60}(?:request|messages?)\b)/,
);
/** Too vague unless a SyntaxError has it: Bun and Safari when `Response.json()` meets a page. */
const IN_SYNTAX_ERROR = wording(NOT_JSON, /failed to parse json|the string did not match the expected pattern/);
/** What the OpenAI SDK makes of a page where an object should be. */
const IN_TYPE_ERROR = /cannot use 'in' operator to search for 'object' in (?:<|data:|event:|\n|$)/;

/** Whether a programming error of this class is none: what was received is no JSON. The text is in lower case. */
export function isNotJsonError(programError: string, text: string): boolean {
  if (programError === "SyntaxError") return IN_SYNTAX_ERROR.test(text);
  return programError === "TypeError" && IN_TYPE_ERROR.test(text);
}

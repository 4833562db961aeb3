import { wording } from "./wording.ts";

/** JavaScript's classes of errors that bugs throw. */
export const PROGRAM_ERRORS: ReadonlySet<unknown> = new Set(
  "TypeError ReferenceError RangeError SyntaxError EvalError URIError".split(" "),
);

/**
 * What runtimes write when a program trips over its own data or installation. It shows no cause: the endpoint may have answered
 * well. JavaScript, Python, JVM, R, Emacs and .NET, Lua, Rust, Go, PHP and Ruby, in this order.
 */
const OWN_CRASH = wording(
  /invariant failed|(?:process|agent|command|cli) (?:exited|failed) with (?:exit )?code \d|cannot (?:read|set) propert(?:y|ies)\b|(?:undefined|null) is not (?:an? )?(?:object|function|iterable)|is not a (?:function|constructor)\b|is not iterable|cannot destructure|circular structure|could not be cloned|maximum call stack|before initiali[sz]ation|cannot find (?:module|package)|not assignable to/,
  /nonetype|has no attribute|(?:list|string|tuple) ind(?:ices must|ex out of)|not (?:subscriptable|callable)|object is not|unhashable type|unsupported operand|\b(?:key|attribute|index|unboundlocal|modulenotfound|name|import)error\b|values to unpack|can only concatenate|invalid literal for|codec can't|no module named|cannot import name|expected string or bytes|required positional|positional arguments? but/,
  /not `null`|argument is of length zero|subscript out of bounds|cannot invoke "|because "[^"\n]{1,80}" is null|wrong type argument|symbol's (?:value|function)|void-(?:variable|function)|index out of bounds|classcastexception|noclassdeffound|nosuchmethoderror|object reference not set|index was outside|sequence contains no|nullpointerexception/,
  /attempt to (?:index|call|compare|concatenate|perform) |on a `none` value|index out of range|interface conversion|nil pointer|undefined (?:method|local variable|array key|index|offset|property|variable)|call to (?:undefined|a member function)|exit_?code=nil/,
);
/** Words of an endpoint around it: then it is the endpoint that crashed. */
const OF_ENDPOINT = /panic detected|\bretry(?!ing)|again|server|(?<!node:)internal|upstream|"(?:post|get) \//;

/** The last line of a traceback is the error; the lines above quote the program's own source. */
const LAST_LINE =
  /\n(?:\w{1,40}\.)*(?:Attribute|Key|Index|Name|UnboundLocal|Import|ModuleNotFound|Recursion|ZeroDivision|Assertion)Error: [^\n]{0,400}(?:\n```)?\s{0,8}$/;

/** Whether a text is Python's trace of a mistake in the program. */
export function isTraceOfCrash(text: string): boolean {
  return text.includes('File "') && LAST_LINE.test(text);
}

/** Whether a text (in lower case) shows a crash of the caller's own code and nothing about the endpoint. */
export function isOwnCrash(text: string): boolean {
  return OWN_CRASH.test(text) && !OF_ENDPOINT.test(text);
}

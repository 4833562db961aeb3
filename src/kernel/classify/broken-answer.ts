import { NOT_JSON } from "./not-json.ts";
import { SAID } from "./other-languages.ts";
import { near, wording } from "./wording.ts";

/** What an endpoint sends. A request has a body and messages too: those words count only beside one of these. */
const ANSWER =
  /\b(?:api |model |server |llm |json |http |stream(?:ing)? )?(?:response|answer|reply|completion|stream|chunk|sse|event stream)s?\b/;
const UNREADABLE = wording(
  /valid (?:format|shape|structure|content[- ]?type|json)|malformed|unpars(?:e)?able|unreadable|garbled|corrupt\w{0,3}|truncated(?!\))|incomplete/,
  /unexpected (?:format|shape|structure|type|mime ?type|content[- ]?type|end)|not (?:valid json|json|in the expected)/,
  /pars(?:e|ing) (?:error|failed)|deserializ\w{0,5} (?:error|failed)|decod(?:e|ing) (?:error|failed)|could not be (?:parsed|decoded|read|understood|processed|interpreted)/,
);
const READ =
  /(?:failed|unable|error|cannot|could not|couldn't)(?: to)? (?:pars|deserializ|decod|unmarshal|read)\w{0,4}|failed deserialization|unserializable/;
const LAST = /(?:done|terminal|final|finish|end|stop|completion|completed|success|usage)\b/;
const NOTHING =
  /(?:text|content|output|tokens?|message|choices|candidates|generations?|response|reply|answer|completion|data)/;
const CAME =
  /(?:was |were )?(?:found )?(?:generated|returned|received|produced|in (?:the |its |this )?(?:response|answer|reply|stream)|from the (?:model|server|api))/;
const NEVER_CAME =
  /(?:did not|didn't|never|failed to) (?:receive|emit|contain|include|send|produce|yield|reach|return) (?:a |an |any |its |the )?/;

/** What libraries write when an answer is cut. */
export const CUT =
  /error receiving chunk|incomplete(?: chunked )? ?read|without sending complete|premature close|closed during response|outstanding read data|pars(?:e|ing) chunk|stream \d{1,9} was not closed cleanly|stream id \d{1,9}; (?!no_error)/;

/** An answer that was cut or is empty: which words, in lower case, say so. These say more than a 5xx. */
export const CUT_ANSWER = wording(
  CUT,
  /(?:stream|response|websocket)[^\n]{0,24}(?:ended|closed|disconnected|finished|terminated|completed|cut off)[^\n]{0,24}(?:before|without|unexpectedly|prematurely|early)/,
  /(?:before|without|missing|no) (?:a |the |any )?(?:message_st(?:art|op)|response\.completed|\[done\]|finish[_ ]?reason|terminal (?:event|marker)|completion event|final (?:chunk|event))/,
  /\b(?:ended|closed|stopped|cut|dropped|terminated) (?:the |its )?(?:response|stream|answer|reply) (?:early|before)\b/,
  /^stream(?:ing)? error\W?$|\bstream(?:ing)? ended\b|\bstreaming (?:was )?interrupted|nothing (?:was )?(?:returned|received|generated)|no (?:message )?(?:content|chunks?|events?) (?:was |were )?(?:received|arrived)|^no message content|\bstream (?:was |is )?(?:closed|reset)[^\n]{0,24}(?:\bcancel|internal_error|protocol_error)|\bstream (?:was |has been )?(?:interrupted|disconnected|broken|cut|truncated|reset)|incomplete (?:stream|json)/,
  /payload is not completed|not enough data to satisfy|with no (?:text|content|output)|content block not found|payload is incomplete|ioexception: closed/,
  /\b(?:empty|blank|null)(?: or \w{3,12})? (?:\w{1,12} )?(?:response|stream|completion|reply|answer)\b(?! bod)|did not (?:provide|return|contain) any|(?:did not|didn't) (?:provide|return|give|produce|send|generate|contain|include) (?:an? |any |its )?(?:\w{1,12} )?(?:response|answer|reply|message|choices|content|text|output)\b|\b(?:response|choices|candidates|output)["']?[:=] ?(?:\[\]|nil\b)|finish_reason:? undefined|(?:did not|didn't) respond with|no content in (?:the )?message|(?:ended|finished|stopped|returned) with(?:out| no) (?:an? |any )?(?:\w{1,12} )?(?:message|answer|reply|output)/,
  near(/\bno (?:\w{1,12} )?/, near(NOTHING, CAME, 1), 0),
  near(NEVER_CAME, wording(LAST, near(NOTHING, / (?:in|from|content)\b/, 0)), 12),
  /\bno response (?:body|(?:was )?(?:received )?from (?:the )?(?:model|llm|ai|agent|assistant|openai|anthropic|claude|gemini|gpt\S{0,8}|chatgpt|deepseek|mistral|copilot|provider))|(?:response|stream) (?:is|was) not ['"`]?(?:text\/event|application\/json|an? (?:event )?stream)|(?:response|stream|completion|message) (?:contain(?:s|ed)|ha[ds]) no|contain a valid `part`, but none/,
  /without (?:any |a )?(?:content|text|final output|final response)|ended without sending any chunks|ended prematurely/,
  /expected a complete/,
  /clos\w{1,3} while (?:receiv|read|stream|download)/,
  /(?:returned|produced|generated|sent|gave|(?<!, )received|(?<!, )got) (?:an? )?(?:empty|null|none|nothing|blank|only (?:reasoning|thinking|whitespace)|no (?:\w{1,12} )?(?:output|content|text|tokens|choices|candidates|message|response|data|answer))\b(?! (?:key|token|api|model|param|value|request|prompt|input))/,
  /(?:dropped|lost|broken?|aborted|interrupted|reset|closed|cut) (?:during|while|before|in the middle of) (?:the )?(?:generat|stream|respon|answer|final|complet)|\bmid-?(?:answer|stream|response|sentence|generation)\b/,
  SAID.empty,
);

/** The same, or an answer that is not in the format of the API. Behind a 5xx that is how a client sees any page of an error. */
export const BROKEN_ANSWER = wording(
  CUT_ANSWER,
  /\beof\b|incomplete response|unexpected end[ -]of[ -](?:stream|json|file|input|data)|error in (?:the )?(?:input|body) stream|stream[_ -]?read[_ -]?error/,
  /invalid (?:json|sse)[^\n]{0,16}(?:chunk|stream|event|response|data)|(?:error|failed|failure)[^\n]{0,8} (?:while |when )?pars(?:e|ing) (?:\w{1,12} ){0,2}(?:response|stream|chunk|output|answer)/,
  /expected[^\n]{0,40}(?:event-stream|application\/json)|invalid (?:header value|content[- ]type)[^\n]{0,4}text\/html|(?:got|received|unexpected)[^\n]{0,24}(?:text\/html|<!doctype|html\b)/,
  /(?:unhandled|unknown) format (?:for|of) (?:the )?(?:content|part|candidate|message)s?\b|(?:unexpected|wrong) event order|events? out of order|unexpected (?:\w{1,12} )?(?:format|structure|shape|type|field|value|data|content) (?:in|of|from) (?:the )?(?:\w{1,12} )?(?:response|answer|reply|stream|chunk)|unexpected mime ?type|content[- ]type[^\n]{0,8} invalid|did not match any variant of untagged enum\b(?! (?:message|content|request|chatcompletionrequest))/,
  // What follows a colon is what could not be read, an address for example.
  new RegExp(`(?:${READ.source})[^\\n:/]{0,40}?(?:${ANSWER.source})`),
  near(ANSWER, UNREADABLE, 24),
  near(
    /malformed|unparse?able|unexpected|truncated|corrupt(?:ed)?|\bbad\b/,
    /(?:response|chunk|stream|sse|answer|reply|payload)\b(?! (?:status|code))/,
    12,
  ),
  /(?:while|during|when) stream(?:ing)?[^\n]{0,24}(?:network|connection) (?:error|lost)/,
  // What decoders of typed answers write: Jackson, kotlinx, Gson, System.Text.Json, Swift, Dart, serde.
  /error while extracting response|rst_stream|no content to map|premature end of|non-json (?:response|reply|answer)|copying content to a stream|chunked transfer encoding|invalid start of a value|unexpected character (?:encountered while|\(')|keynotfound\(|eofexception|(?:replied|responded|answered) with (?:text\/|html|an? (?:html|web))|(?:invalid|incorrect|wrong|improper) (?:\w{1,12} ){0,2}response\b(?! (?:code|status|content|format|mime|schema|type|id))|response\.\w{1,16} is (?:none|null|undefined|empty)|assistant message is empty|not marked as ignorable|expected begin_(?:object|array) but was|json value could not be converted|isn't in the correct format|formatexception: unexpected/,
  /jsondeserialize|missing field `(?:choices|id|object|delta|usage|created|status|finish_reason)`/,
  NOT_JSON,
);

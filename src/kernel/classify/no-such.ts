import { SAID } from "./other-languages.ts";
import { near, wording } from "./wording.ts";

const THING =
  /\b(?:model|deployment|endpoint|resource|engine|page|route|url|uri|path|provider|adapter|checkpoint|cluster)(?:s|\(s\)|_id|_name)?\b/;
const GONE = wording(
  /not found|n[o']t exist|no longer (?:available|supported|exists|served|active|offered)|(?:not|can't) be found|wasn't found/,
  /deprecated|decommissioned|shut ?down|retired|sunset|discontinued|removed|reached (?:its )?end[- ]of[- ]life/,
  /not (?:currently )?(?:in use|served|deployed|registered|installed|pulled|hosted|recogni[sz]ed|listed|among)|is not (?:a )?(?:known|recogni[sz]ed)/,
);

/** Who may not know of a thing is told so: "does not exist (or perhaps you don't have permission to use it?)". */
export const NOT_THERE_OR_NOT_YOURS =
  /(?:do(?:es)?(?: not|n't) exist|not found)[^\n]{0,8}\bor\b[^\n]{0,40}\b(?:permission|access|authorized|permitted)/;

/** No such path: Express, OpenAI, Cloudflare, plain servers. */
export const NO_PATH = wording(
  /cannot (?:post|get|put|delete|patch) \/|invalid url ?\((?:post|get|put)|no route (?:for|found|match|exists)|could not route to|no matching route/,
  /(?:unexpected|invalid|wrong) endpoint\b|\bhttps?:\/\/[^\s"]{4,200} (?:was )?not found|no static resource|entity was not found|(?:page|path|route|url|endpoint) not found\b|unknown (?:request url|endpoint|route|path)|no such (?:path|route|endpoint|api)\b|cluster[ _]not[ _]found/,
);

/** No model, deployment or path of this name: which words, in lower case, say so. */
export const NO_SUCH = wording(
  near(THING, GONE, 80),
  /(?:unknown|no such|invalid|unsupported|unrecognized|unregistered|nonexistent) (?:\w{1,12} )?(?:model|deployment|engine)\b(?! (?:parameter|output|input|response|key|settings?|option|type|argument|value))/,
  /no (?:\w{1,12} ){0,3}(?:endpoints?|allowed providers|models?) (?:found|available|are available|match)|(?:^|[:-] |\n|\[)(?:404 )?not found\b/,
  /(?:couldn't|could not|cannot|can't|unable to) (?:find|locate) (?:the |any |a )?(?:\w{1,12} )?(?:model|deployment|endpoint)|is not a valid model|model (?:identifier|id|name) (?:is |was )?(?:invalid|incorrect|wrong)|try pulling it|model\b[^\n]{0,60} is not available (?:on|in|for|at) (?!your)/,
  // FastChat's list of what it serves.
  /\bonly (?:[^\n]{1,400} )?(?:are |is )?allowed now\b/,
  /\bmodel\b[^\n]{0,60}(?:is not|isn't|not) (?:supported|available|offered) (?:by|at|on|with) (?:the |this |any |your )?(?:\w{1,12} )?(?:provider|endpoint|server|gateway|backend|api\b|router|service)/,
  /\b(?:model|provider)s?[ :]{1,2}["'`]?[\w./:@-]{1,80}["'`]? is (?:\w{1,10} ){0,2}(?:un|not (?:\w{1,10} ){0,2})supported(?! (?:with|by|for|in|when|on)\b)/,
  /unknown (?:provider|url)\b|(?:config|configuration|settings?) (?:was )?not found for|no (?:model|deployment|engine|endpoint) (?:with|by|of) (?:that|this|the) name|select (?:an? )?(?:valid|different|another|other|available) model|not (?:in|one of|among|part of) (?:the )?(?:list of )?(?:available|supported|known|configured|allowed|listed|valid) models|(?:supported|available|valid|allowed) (?:api )?model(?:s| names| ids)? (?:are|is|include)\b|(?:at|for|in) ['"`]?model(?:_?id|_?name)?['"`]? failed to satisfy/,
  /provider\b[^\n]{0,30} not (?:specified|configured|registered|defined|recogni[sz]ed)|no models? (?:has been |is |was |are )?(?:currently )?(?:loaded|selected)|invalid (?:model|deployment|project|engine|endpoint|space)[ _](?:id|guid|name|identifier|ur[il])/,
  NO_PATH,
  SAID.notFound,
);

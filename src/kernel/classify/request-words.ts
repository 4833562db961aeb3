/** A server that cannot read what was sent: the parser's words are those of a broken answer. */
export const UNREAD_REQUEST_WORDS =
  /\brequest\b[^\n:]{0,60}(?:with|has|contains?|is|was|body)[^\n]{0,16}(?:invalid|malformed|not valid|unparse?able) json|(?:invalid|malformed) json in (?:the |your )?request|(?:pars|decod|read|deserializ|transform|convert|unmarshal|bind)\w{0,4} (?:the |your )?(?:json |http )?request(?! (?:error|timeout|timed|failed))\b|request body (?:is not|isn't|could not be|cannot be|must be)/;

/** Says that the caller has to mend the request, and not how; often with "and try again". */
export const YOURS_WORDS =
  /(?:check|correct|fix|review|verify|adjust|modify|change|reformat|rephrase|shorten|simplify) (?:your |the )?(?:inputs?|request|parameters?|payload|settings|configuration)\b|configure (?:an? |the |your )?[a-z_]{3,16} (?:with|to|in)\b|(?:issue|problem|error|wrong) (?:with|in) your (?:request|inputs?|payload)|(?:检查|修改)(?:您的|你的)?(?:请求|参数|输入|配置)/;

/** What a model can or cannot do: the model itself is there and allowed. */
export const FEATURE_WORDS =
  /\b(?:function calling|tool (?:calling|use|calls|choice)|tools|vision|images?|audio|video|pdfs?|streaming|json (?:mode|schema|object)|json_(?:schema|object)|structured outputs?|reasoning|thinking|(?:system|developer) (?:prompt|message|instruction)s?|prefill|logprobs|embeddings?|caching)\b(?: (?:is|are) (?:strongly )?(?:required|recommended) (?:for|when|with)\b|[^\n]{0,24} (?:is|are) not (?:\w{1,10} )?(?:enabled|available|supported|allowed|possible) (?:for|on|with|by|in)\b|(?: inputs?)? (?:is|are) unsupported (?:for|on|with|by|in)\b| (?:is |are )?not available (?:for|on|with) this model)|\bmodel[^\n]{0,24} (?:does not|doesn't|cannot|can't) (?:accept|support|use|handle|take|process|allow|read) /;

/** The address in the settings is wrong: nothing was ever connected to. */
export const BAD_ADDRESS =
  /no connection adapters|missing an? ['"`]?http|unsupported ?protocol|unknown (?:protocol|scheme)|scheme is not supported|not implemented\.\.\. yet|invalid url|(?:^|\n)(?:bad port|unexpected redirect|mock dispatch not matched)|no scheme supplied|only absolute urls|failed to parse url|missing ?schema\b|invalidschema/;

import { SAID } from "./other-languages.ts";
import { wording } from "./wording.ts";

export const CERTIFICATE_WORDS = wording(
  /self[- ]signed certificate|certificate(?: for this server)?[ _](?:is (?:invalid|expired|not valid)|has expired|verify[ _]failed|is not trusted|problem|signed by unknown)/,
  /certificate (?:verification|validation) (?:error|fail)|(?:invalid|untrusted|expired|bad) (?:ssl |tls |server )?certificate\b/,
  /unable to (?:verify the first|get local issuer) certificate|hostname\/ip does not match|pkix path|failed to verify certificate|x509: |证书/,
);

/** The way to the endpoint broke. */
export const NETWORK_WORDS = wording(
  /fetch failed|failed to fetch|error occurred while sending the request|error reading a body|client error \(connect\)|error (?:sending|making) request (?:for|to)\b/,
  // A browser's TypeError has these words alone.
  /error in (?:input|body) stream|(?:the|network) request timed out|certificate for this server|hostname could not be found/,
  /network ?error|network (?:connection|request)[^\n]{0,20}(?:lost|failed|error)|load failed/,
  /(?:^|\n|[:-] |\b5\d\d )terminated|\(terminated\)|socket hang up|other side closed/,
  // Node's words for a response whose sender has left.
  /(?:^|\n|error: )aborted(?:$|\n|\]|")|(?:aborted|cancell?ed) (?:by|at) (?:the |an? )?(?:\w{1,12} )?(?:upstream|server|gateway|proxy|provider|peer|remote|backend|host)\b/,
  /upstream connect|reset before headers|reset reason|broken pipe|no route to host|name resolution/,
  /dns (?:lookup|error|resolution)|getaddrinfo/,
  /network[^\n]{0,12}(?:changed|down)/,
  /connect(?:ion)? (?:error|attempt)|\bnot connected\b|(?:failed to|unable to|cannot|can't|could ?n[o']t) (?:connect|contact\b|communicate\b|(?:be )?reach(?:ed)?\b)|(?:is|not) (?:un)?reachable|socket[^\n]{0,24}(?:closed|disconnected|reset)/,
  /\b(?:connection|tcp|tls|http2?|stream)[^\n]{0,24}(?:refused|reset|closed|lost|aborted|dropped|interrupted|terminated|broken|failure)/,
  /closed the connection|server disconnected|decompression failed|incorrect header check|zlib|tls handshake/,
  /ssl_(?:error|connect)|end of file reached|parse error: expected http|ssl (?:error|routines|handshake|connection could not)|\beconn|epipe\b|goaway|nghttp2|err_ssl|bad_record_mac/,
  // Java, Go, Python, curl, .NET, Dart, Swift.
  /no such host|\btls error|\bdial (?:tcp|udp)|no suitable address|socketerrorlistener|tcpconnectwrap|internalconnectmultiple|name or service not known|nodename nor servname|could ?n[o']t resolve|failed (?:host|to) lookup|temporary failure in name|server misbehaving/,
  /remote (?:end|host) closed|remotedisconnected|recv failure|max retries exceeded with url/,
  /header parser received no bytes|software caused connection abort|(?:forcibly|prematurely) closed(?! during)|closed (?:network )?connection|was not closed cleanly/,
  /(?:\b(?:ollama|lm ?studio|llama\S{0,8}|kobold\w{0,6}|vllm|localai|service|daemon|server|proxy|gateway)\b[^\n]{0,24} (?:not|isn't|be) (?:\w{1,9} )?running\b|is it (?:up|running|started)\b)|is the server running|no internet|typo in the url|secure channel|\bunreachable\b|to be offline|(?:you are|you're) offline|request (?:could not|couldn't) be sent|\bcors\b|err_failed|\bunknown host|wrong[_ ]version[_ ]number|transport connection|(?:error|failure|fail\w{0,3}|problem|unable|trouble|cannot|could ?n[o']t)(?: to)?(?: (?:while|when|in))? communicat(?:e|ing|ion) with [\w ]{1,32}(?:[^\w :,]|$)|make sure (?:the |that )?(?:\w{1,12} )?(?:server )?is running|actively refused|winerror 100[56]\d|no connection could be made|host[^\n]{0,60}down|os error (?:54|61|104|111)|errno (?:54|61|104|111)\b/,
  SAID.network,
);

/** Go's and OpenSSL's word for a connection that closed before the answer: no stream had begun. */
export const NO_ANSWER_WORDS = wording(
  /(?:post|get|put) "[^"\n]{1,300}": (?:unexpected )?eof|\b(?:ssl|tls)\b[^\n]{0,40}unexpected eof|unexpected_eof_while_reading|eof occurred in violation|\berr(?:or)?[=:,] ?eof\W{0,2}(?:$|\n)/,
  /unexpected end of stream on |connection[^\n]{0,12}(?:prematurely )?closed before (?:response|message|full header)|empty reply from server|tls handshake eof|legacy::error\(connect/,
);

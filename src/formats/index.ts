export { EventCutter, type Piece } from "./event-cutter.ts";
export { isFields, parseJson } from "./fields.ts";
export { joinBytes } from "./join-bytes.ts";
export { readAnswer } from "./read-answer.ts";
export { type RecognisedCall, recogniseCall, type WireFormat } from "./recognise-call.ts";
export { type RequestScan, scanRequest, withModel } from "./scan-request.ts";

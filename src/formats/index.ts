export { EventCutter, type Piece } from "./event-cutter.ts";
export type { Meaning } from "./event-meaning.ts";
export { type Fields, isFields, parseJson } from "./fields.ts";
export { joinBytes } from "./join-bytes.ts";
export { readAnswer } from "./read-answer.ts";
export { AnswerReader, isErrorEvent } from "./read-event.ts";
export { type RecognisedCall, recogniseCall, type WireFormat } from "./recognise-call.ts";
export { type RequestScan, scanRequest, withModel } from "./scan-request.ts";

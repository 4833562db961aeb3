export { EventCutter, type Piece } from "./event-cutter.ts";
export { type ByteRead, type ByteReader, EventPieces, type PiecesOptions } from "./event-pieces.ts";
export { isFields, parseJson } from "./fields.ts";
export { joinBytes } from "./join-bytes.ts";
export { readAnswer } from "./read-answer.ts";
export { type RecognisedCall, recogniseCall, type WireFormat } from "./recognise-call.ts";
export { type RequestScan, scanRequest, withModel } from "./scan-request.ts";
export { statusOfKind } from "./status-of-kind.ts";

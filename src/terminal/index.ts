export { CleanStream } from "./clean-stream.ts";
export { cleanInput, cleanText } from "./clean-text.ts";
export { maskSecrets } from "./mask-secrets.ts";
export { sayDuration } from "./say-duration.ts";
export { sayFailure, sayMessage } from "./say-failure.ts";
export { sayKind } from "./say-kind.ts";
export { type Colours, type OutputStream, openTerminal, type Terminal } from "./terminal.ts";
export { charWidth, textWidth } from "./text-width.ts";
export { breakWord, wrapText } from "./wrap-text.ts";

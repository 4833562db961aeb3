export { directStream } from "./direct-stream.ts";
export { StreamCore } from "./stream-core.ts";

// A file of its own, to be loaded when it is needed: TLS takes its time.
export { request } from "node:https";

export type { Message, RpcCommand, RpcOutput, RpcResponse, RpcState, SessionEvent } from "../../wire/index.ts";
export { RpcClient, type RpcListener, type RpcTransport } from "./rpc-client.ts";
export type { ProgramOptions } from "./start-program.ts";

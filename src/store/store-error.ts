/** What went wrong with a store, for code; the message is for people and says which file, what is wrong and what to do. */
export type StoreErrorCode =
  | "damaged"
  | "locked"
  | "read-only"
  | "newer"
  | "foreign"
  | "full"
  | "unreachable"
  | "unavailable"
  | "closed"
  | "unknown-conversation"
  | "conversation-exists";

export class StoreError extends Error {
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options);
    this.name = "StoreError";
    this.code = code;
  }
}

export function unknownConversation(id: string): StoreError {
  return new StoreError("unknown-conversation", `There is no conversation ${JSON.stringify(id)} in this store.`);
}

export function conversationExists(id: string): StoreError {
  return new StoreError("conversation-exists", `A conversation ${JSON.stringify(id)} is in this store already.`);
}

export function closedStore(): StoreError {
  return new StoreError("closed", "This store was closed; open it again to use it.");
}

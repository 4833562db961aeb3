/** For code. The message is for people: it names the file, the problem and what to do. */
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
  return new StoreError("conversation-exists", `A conversation ${JSON.stringify(id)} already exists in this store.`);
}

export function closedStore(): StoreError {
  return new StoreError("closed", "This store is closed. Open it again to use it.");
}

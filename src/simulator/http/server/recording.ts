import type { Reaction, SocketAction } from "../wire/reply.ts";

/** What was sent for one request, as text. Limited, because a fault may send forever. */
export class Recording {
  readonly #parts: Buffer[] = [];
  #length = 0;

  readonly add = (bytes: Buffer): void => {
    if (this.#length >= MOST_BYTES) return;
    this.#parts.push(bytes);
    this.#length += bytes.length;
  };

  get text(): string {
    return Buffer.concat(this.#parts).toString("utf8");
  }
}

const MOST_BYTES = 1024 * 1024;

/** The same reaction, recorded while it runs: the body of a reply, or all bytes below HTTP. */
export function recorded(reaction: Reaction, recording: Recording): Reaction {
  if (reaction.type === "reply") return { ...reaction, reply: { ...reaction.reply, onSent: recording.add } };
  return { ...reaction, actions: recordedActions(reaction.actions, recording) };
}

function* recordedActions(actions: Iterable<SocketAction>, recording: Recording): Generator<SocketAction> {
  for (const action of actions) {
    if (action.do === "send") recording.add(action.bytes);
    yield action;
  }
}

/**
 * The text of an answer or of one item, for required content. `true`: it needs none and is accepted unchecked. Undefined: the
 * text can't be found.
 */
export type TextOf = string | true | undefined;

/** An answer whose text can't be found: what stands there instead. */
export class Unread {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** The text of a streamed answer, gathered item by item. */
export class AnswerText<T> {
  private text = "";
  private isFound = false;
  private isExempt = false;
  private firstUnread: Unread | undefined = undefined;
  private fault: { readonly thrown: unknown } | undefined = undefined;

  add(item: T, textOf: (item: T) => TextOf): void {
    if (this.fault !== undefined) return;
    try {
      const text = textOf(item);
      if (typeof text === "string") {
        this.text += text;
        this.isFound = true;
      } else if (text === true) this.isExempt = true;
      else this.firstUnread ??= new Unread(item);
    } catch (thrown) {
      this.fault = { thrown };
    }
  }

  /** One item whose text is known is enough: streams have items of many kinds. Throws what `textOf` threw. */
  whole(): string | true | Unread {
    if (this.fault !== undefined) throw this.fault.thrown;
    if (this.isExempt) return true;
    return this.isFound ? this.text : (this.firstUnread ?? "");
  }
}

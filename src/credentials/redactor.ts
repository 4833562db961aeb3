import { secretForms } from "./secret-forms.ts";

export interface NamedSecret {
  readonly id: string;
  readonly secret: string;
}

/** Removes every known secret from a text, in each of its written forms. */
export class Redactor {
  private readonly names = new Map<string, string>();
  private pattern: RegExp | undefined;
  private readonly beginnings = new Set<string>();
  private longest = 0;

  add({ id, secret }: NamedSecret): void {
    for (const form of secretForms(secret)) {
      if (!this.names.has(form)) this.names.set(form, id);
      this.beginnings.add(form.charAt(0));
    }
    // The longest form wins: another secret may begin with this one.
    const forms = [...this.names.keys()].sort((a, b) => b.length - a.length);
    this.longest = forms[0]?.length ?? 0;
    this.pattern = forms.length === 0 ? undefined : new RegExp(forms.map(escapePattern).join("|"), "g");
  }

  /** Returns the same text if it has no secret. */
  redactText(text: string): string {
    if (this.pattern === undefined || !this.has(text)) return text;
    return text.replace(this.pattern, (found) => `[key ${this.names.get(found)}]`);
  }

  /** The position from which the end of a text may turn out to be a secret when more text comes; its length if none. */
  openEnd(text: string): number {
    if (this.pattern === undefined) return text.length;
    // Further from the end than the longest form, nothing is open.
    let at = Math.max(0, text.length - this.longest + 1);
    // A whole secret is skipped: its end may look like the beginning of another.
    for (const { 0: found, index } of text.matchAll(this.pattern)) {
      for (; at <= index; at++) if (this.isBeginning(text.slice(at))) return at;
      at = Math.max(at, index + found.length);
    }
    for (; at < text.length; at++) if (this.isBeginning(text.slice(at))) return at;
    return text.length;
  }

  private isBeginning(text: string): boolean {
    if (!this.beginnings.has(text.charAt(0))) return false;
    for (const form of this.names.keys()) if (form.length > text.length && form.startsWith(text)) return true;
    return false;
  }

  has(text: string): boolean {
    if (this.pattern === undefined) return false;
    this.pattern.lastIndex = 0;
    return this.pattern.test(text);
  }
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

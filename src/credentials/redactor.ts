import { secretForms } from "./secret-forms.ts";

export interface NamedSecret {
  readonly id: string;
  readonly secret: string;
}

/** Takes every known secret out of a text, in whichever way it is written there. */
export class Redactor {
  private readonly names = new Map<string, string>();
  private pattern: RegExp | undefined;

  add({ id, secret }: NamedSecret): void {
    for (const form of secretForms(secret)) if (!this.names.has(form)) this.names.set(form, id);
    // At one place the longest form counts: the secret of another may begin with this one.
    const forms = [...this.names.keys()].sort((a, b) => b.length - a.length);
    this.pattern = forms.length === 0 ? undefined : new RegExp(forms.map(escapePattern).join("|"), "g");
  }

  /** The same text if there is nothing in it. */
  redactText(text: string): string {
    if (this.pattern === undefined || !this.has(text)) return text;
    return text.replace(this.pattern, (found) => `[key ${this.names.get(found)}]`);
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

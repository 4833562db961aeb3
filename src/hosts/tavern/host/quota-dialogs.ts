import type { GenerationEvent } from "../../../kernel/index.ts";
import { HOST_QUOTA } from "../../../presets/tavern.ts";
import type { Page } from "./host.ts";

/** The same in every language. */
const LINK = 'a[href^="https://platform.openai.com/account/usage"]';
const OK_BUTTON = ".popup-button-ok";

/** How long after a failure its dialog may open: the host loads the text first. */
const LATE_MS = 5000;

/**
 * The host opens a dialog for each attempt that fails because a quota is used up. Leaves the first one to the user and closes those
 * of the retries, as many as there were. A dialog of the chat's own Send button stays.
 */
export class QuotaDialogs {
  private readonly document: Document;
  private readonly failing = new Set<string>();
  /** One entry for each dialog to close: until when it may open. */
  private toClose: number[] = [];
  private observer: MutationObserver | undefined = undefined;
  private end: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor({ document }: Page) {
    this.document = document;
  }

  hear(event: GenerationEvent): void {
    const { generationId } = event;
    if (event.type === "attempt-end" && event.failure?.evidence === `policy:${HOST_QUOTA}`) this.expect(generationId);
    if (event.type !== "generation-end" || !this.failing.delete(generationId) || this.failing.size > 0) return;
    if (this.toClose.length === 0) this.close();
    else this.end = setTimeout(() => this.close(), LATE_MS);
  }

  /** Also at unload. */
  close(): void {
    clearTimeout(this.end);
    this.end = undefined;
    this.observer?.disconnect();
    this.observer = undefined;
    this.failing.clear();
    this.toClose = [];
  }

  private expect(generationId: string): void {
    clearTimeout(this.end);
    this.end = undefined;
    this.failing.add(generationId);
    if (this.observer !== undefined) {
      this.toClose.push(performance.now() + LATE_MS);
      return;
    }
    this.observer = new MutationObserver((records) => {
      for (const { addedNodes } of records) for (const node of addedNodes) this.opened(node);
    });
    this.observer.observe(this.document.body, { childList: true });
  }

  private opened(node: Node): void {
    if (node.nodeName !== "DIALOG") return;
    const dialog = node as HTMLDialogElement;
    const button = dialog.querySelector(LINK) === null ? null : dialog.querySelector<HTMLElement>(OK_BUTTON);
    const nowMs = performance.now();
    this.toClose = this.toClose.filter((untilMs) => untilMs >= nowMs);
    if (button === null || this.toClose.shift() === undefined) return;
    // As the user would: the host then cleans up.
    button.click();
    if (this.toClose.length === 0 && this.failing.size === 0) this.close();
  }
}

import type { GenerationEvent } from "../../../kernel/index.ts";
import { HOST_QUOTA } from "../../../presets/tavern.ts";
import type { Page } from "./host.ts";

/** The same in every language. */
const LINK = 'a[href^="https://platform.openai.com/account/usage"]';
const OK_BUTTON = ".popup-button-ok";

/** How long after a failure its dialog may open: the first time, the host loads the text from its server. */
const LATE_MS = 5000;
/** How long before a failure its dialog may have opened: later dialogs open at once, while the failure is still on its way to us. */
const EARLY_MS = 1000;

/**
 * The host opens a dialog for each attempt that fails because a quota is used up. Leaves the first one to the user and closes those
 * of the retries, as many as there were. A dialog of the chat's own Send button stays.
 */
export class QuotaDialogs {
  private readonly document: Document;
  private readonly running = new Set<string>();
  private readonly failing = new Set<string>();
  /** Dialogs that belong to no failure yet, the latest last. */
  private opened: { readonly button: HTMLElement; readonly atMs: number }[] = [];
  /** One entry for each dialog still to close: until when it may open. */
  private toClose: number[] = [];
  private observer: MutationObserver | undefined = undefined;
  private end: ReturnType<typeof setTimeout> | undefined = undefined;

  constructor({ document }: Page) {
    this.document = document;
  }

  hear(event: GenerationEvent): void {
    const { generationId } = event;
    if (event.type === "attempt-start") this.watch(generationId);
    if (event.type === "attempt-end" && event.failure?.evidence === `policy:${HOST_QUOTA}`) this.failed(generationId);
    if (event.type === "generation-end") this.ended(generationId);
  }

  /** Also at unload. */
  close(): void {
    clearTimeout(this.end);
    this.end = undefined;
    this.observer?.disconnect();
    this.observer = undefined;
    this.running.clear();
    this.failing.clear();
    this.opened = [];
    this.toClose = [];
  }

  private watch(generationId: string): void {
    clearTimeout(this.end);
    this.end = undefined;
    this.running.add(generationId);
    if (this.observer !== undefined) return;
    this.observer = new MutationObserver((records) => this.read(records));
    this.observer.observe(this.document.body, { childList: true });
  }

  private ended(generationId: string): void {
    this.running.delete(generationId);
    this.failing.delete(generationId);
    if (this.running.size > 0) return;
    if (this.toClose.length === 0) this.close();
    else this.end = setTimeout(() => this.close(), LATE_MS);
  }

  private failed(generationId: string): void {
    this.read(this.observer?.takeRecords() ?? []);
    const isFirst = this.failing.size === 0;
    this.failing.add(generationId);
    const nowMs = performance.now();
    const early = this.opened.pop();
    const button = early !== undefined && nowMs - early.atMs <= EARLY_MS ? early.button : undefined;
    if (isFirst) return;
    // As the user would: the host then cleans up.
    if (button !== undefined) button.click();
    else this.toClose.push(nowMs + LATE_MS);
  }

  private read(records: readonly MutationRecord[]): void {
    for (const { addedNodes } of records) for (const node of addedNodes) this.found(node);
  }

  private found(node: Node): void {
    if (node.nodeName !== "DIALOG") return;
    const dialog = node as HTMLDialogElement;
    const button = dialog.querySelector(LINK) === null ? null : dialog.querySelector<HTMLElement>(OK_BUTTON);
    if (button === null) return;
    const nowMs = performance.now();
    this.toClose = this.toClose.filter((untilMs) => untilMs >= nowMs);
    if (this.toClose.shift() === undefined) this.opened.push({ button, atMs: nowMs });
    else button.click();
    if (this.toClose.length === 0 && this.running.size === 0) this.close();
  }
}

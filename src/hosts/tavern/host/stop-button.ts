import type { GenerationEvent } from "../../../kernel/index.ts";
import type { FrameGlobals, Host } from "./host.ts";

/** How often the button is shown again during a wait: every other generation that ends in the host hides it. */
const REMIND_MS = 1000;

/**
 * Keeps the host's Stop button visible while a generation waits between two attempts. Nothing runs in the host then, so it would hide
 * the button, and the user could not stop the generation.
 */
export class StopButton {
  private readonly buttons: FrameGlobals["SillyTavern"];
  private readonly document: Document;
  private readonly waiting = new Set<string>();
  private readonly running = new Set<string>();
  private reminder: number | undefined = undefined;
  private isShown = false;

  constructor({ page, frame }: Host) {
    this.buttons = frame.SillyTavern;
    this.document = page.document;
  }

  /** Ignores silent generations, to which the button does not apply. */
  hear(event: GenerationEvent, { isSilent }: { readonly isSilent: boolean }): void {
    if (isSilent) return;
    const { generationId } = event;
    if (event.type === "wait-start" && event.delayMs > 0) this.hold(generationId);
    if (event.type === "wait-end") this.release(generationId);
    if (event.type === "attempt-start") {
      this.running.add(generationId);
      // While an attempt runs, the host manages the button: a main generation may need it too.
      this.isShown = false;
    }
    if (event.type === "attempt-end") this.running.delete(generationId);
    if (event.type === "generation-end") {
      this.running.delete(generationId);
      this.rest();
    }
  }

  /** The script unloads: all waits have ended, and running attempts belong to the host. */
  close(): void {
    for (const id of this.waiting) this.release(id);
    this.rest();
  }

  /** Hides the button when nothing of ours is running, if we showed it. */
  private rest(): void {
    if (!this.isShown || this.waiting.size > 0 || this.running.size > 0) return;
    this.isShown = false;
    this.buttons?.activateSendButtons?.();
  }

  private hold(id: string): void {
    this.waiting.add(id);
    this.show();
    this.reminder ??= window.setInterval(() => this.show(), REMIND_MS);
  }

  /** The wait is over; the host shows the button itself if another attempt follows. */
  private release(id: string): void {
    this.waiting.delete(id);
    if (this.waiting.size > 0) return;
    window.clearInterval(this.reminder);
    this.reminder = undefined;
  }

  /** A button that already shows is not ours to hide later. */
  private show(): void {
    const button = this.document.querySelector("#mes_stop");
    const isHidden = button === null || this.document.defaultView?.getComputedStyle(button).display === "none";
    if (!isHidden) return;
    this.isShown = true;
    this.buttons?.deactivateSendButtons?.();
  }
}

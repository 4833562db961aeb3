import type { GenerationEvent } from "../../../kernel/index.ts";
import type { FrameGlobals, Host } from "./host.ts";

/** How often the button is looked after while somebody waits: whatever else ends in the host hides it. */
const REMIND_MS = 1000;

/**
 * Keeps the host's Stop button shown while a generation waits between two attempts. Nothing runs in the host then, so it
 * would hide the button, and a person could not stop what goes on.
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

  /** A silent generation does not touch the button: the host's button does not mean it. */
  hear(event: GenerationEvent, { isSilent }: { readonly isSilent: boolean }): void {
    if (isSilent) return;
    const { generationId } = event;
    if (event.type === "wait-start" && event.delayMs > 0) this.hold(generationId);
    if (event.type === "wait-end") this.release(generationId);
    if (event.type === "attempt-start") this.leaveToHost(generationId);
    if (event.type === "attempt-end") this.running.delete(generationId);
    if (event.type === "generation-end") {
      this.running.delete(generationId);
      this.rest();
    }
  }

  /** The script is unloaded: whatever waits has been ended, whatever runs is the host's. */
  close(): void {
    for (const id of this.waiting) this.release(id);
    this.rest();
  }

  /** Nothing of ours is under way any more: the button goes, if it is us who showed it. */
  private rest(): void {
    if (!this.isShown || this.waiting.size > 0 || this.running.size > 0) return;
    this.isShown = false;
    this.buttons?.activateSendButtons?.();
  }

  /** While an attempt runs, and when it ends, the button is the host's own business: a main generation may need it, too. */
  private leaveToHost(id: string): void {
    this.running.add(id);
    this.isShown = false;
  }

  private hold(id: string): void {
    this.waiting.add(id);
    this.show();
    this.reminder ??= window.setInterval(() => this.remind(), REMIND_MS);
  }

  /** The wait is over; the host looks after the button itself if another attempt follows. */
  private release(id: string): void {
    this.waiting.delete(id);
    if (this.waiting.size > 0) return;
    window.clearInterval(this.reminder);
    this.reminder = undefined;
  }

  private remind(): void {
    const button = this.document.querySelector("#mes_stop");
    const isHidden = button === null || this.document.defaultView?.getComputedStyle(button).display === "none";
    if (isHidden) this.show();
  }

  private show(): void {
    this.isShown = true;
    this.buttons?.deactivateSendButtons?.();
  }
}

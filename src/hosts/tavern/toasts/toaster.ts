import type { GenerationEvent } from "../../../kernel/index.ts";
import type { JQueryLike, Toastr } from "../host/host.ts";
import type { Settings } from "../settings/schema.ts";
import { FIRST_STATE, nextToast, type ToastState } from "./toast-text.ts";

/** Stays until it changes or is removed. Never HTML: the text is foreign. */
const STICKY = { timeOut: 0, extendedTimeOut: 0, escapeHtml: true, preventDuplicates: false };
const BRIEF = { escapeHtml: true, preventDuplicates: false };

/** The same text again within this time is not shown again: many generations may end at once. */
const SAME_MS = 1000;

/** Shows one changing toast for all retried generations together, with the latest progress, so that toasts don't pile up. */
export class Toaster {
  private readonly toastr: Toastr;
  private readonly settings: () => Settings;
  private readonly states = new Map<string, ToastState>();
  /** The text of each retried generation, the latest last. */
  private readonly progress = new Map<string, string>();
  private element: JQueryLike | undefined = undefined;
  private readonly saidAtMs = new Map<string, number>();

  constructor(toastr: Toastr, settings: () => Settings) {
    this.toastr = toastr;
    this.settings = settings;
  }

  hear(event: GenerationEvent): void {
    const { generationId: id } = event;
    const { maxRetries, showRetryToast, showSuccessToast, showFailureToast } = this.settings();
    const { state, toast } = nextToast(event, this.states.get(id) ?? FIRST_STATE, maxRetries);
    // Generations without a retry are not stored.
    if (state !== FIRST_STATE) this.states.set(id, state);
    if (event.type === "generation-end") this.states.delete(id);
    if (toast === undefined) return;
    this.progress.delete(id);
    if (toast.type === "progress") {
      if (!showRetryToast) return;
      this.progress.set(id, toast.text);
      this.showProgress();
      return;
    }
    this.updateProgress();
    if (toast.type === "success" && showSuccessToast) this.brief("success", toast.text);
    if (toast.type === "failure" && showFailureToast) this.brief("error", toast.text);
  }

  /** A toast about no generation in particular. */
  say(text: string, type: "info" | "warning" = "info"): void {
    this.toastr[type](text, "", BRIEF);
  }

  closeAll(): void {
    this.states.clear();
    this.progress.clear();
    this.updateProgress();
  }

  private showProgress(): void {
    // If the user has dismissed the toast, new progress gets a new one.
    if (this.element?.[0]?.isConnected) this.updateProgress();
    else this.element = this.toastr.info([...this.progress.values()].at(-1) ?? "", "", STICKY);
  }

  private updateProgress(): void {
    const text = [...this.progress.values()].at(-1);
    if (text !== undefined) this.element?.find(".toast-message").text(text);
    else {
      this.element?.remove();
      this.element = undefined;
    }
  }

  private brief(type: "success" | "error", text: string): void {
    const nowMs = performance.now();
    if (nowMs - (this.saidAtMs.get(text) ?? Number.NEGATIVE_INFINITY) < SAME_MS) return;
    this.saidAtMs.set(text, nowMs);
    this.toastr[type](text, "", BRIEF);
  }
}

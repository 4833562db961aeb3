import type { GenerationEvent } from "../../../kernel/index.ts";
import type { JQueryLike, Toastr } from "../host/host.ts";
import type { Settings } from "../settings/schema.ts";
import { FIRST_STATE, nextToast, type Toast, type ToastState } from "./toast-text.ts";

/** Stays until it changes or is removed. Never HTML: the text is foreign. */
const STICKY = { timeOut: 0, extendedTimeOut: 0, escapeHtml: true, preventDuplicates: false };
const BRIEF = { escapeHtml: true, preventDuplicates: false };

interface Shown {
  state: ToastState;
  element: JQueryLike | undefined;
}

/** Shows one changing toast per retried generation, so that toasts don't pile up. */
export class Toaster {
  private readonly toastr: Toastr;
  private readonly settings: () => Settings;
  private readonly shown = new Map<string, Shown>();

  constructor(toastr: Toastr, settings: () => Settings) {
    this.toastr = toastr;
    this.settings = settings;
  }

  hear(event: GenerationEvent): void {
    const { generationId: id } = event;
    const { maxRetries } = this.settings();
    const entry = this.shown.get(id) ?? { state: FIRST_STATE, element: undefined };
    const { state, toast } = nextToast(event, entry.state, maxRetries);
    entry.state = state;
    // Generations without a retry are not stored.
    if (state !== FIRST_STATE) this.shown.set(id, entry);
    if (event.type === "generation-end") this.shown.delete(id);
    if (toast !== undefined) this.show(entry, toast);
  }

  /** A toast about no generation in particular. */
  say(text: string): void {
    this.toastr.info(text, "", BRIEF);
  }

  closeAll(): void {
    for (const { element } of this.shown.values()) element?.remove();
    this.shown.clear();
  }

  private show(entry: Shown, toast: Toast): void {
    const { showRetryToast, showSuccessToast, showFailureToast } = this.settings();
    if (toast.type === "progress") {
      if (showRetryToast) this.update(entry, toast.text);
      return;
    }
    entry.element?.remove();
    if (toast.type === "success" && showSuccessToast) this.toastr.success(toast.text, "", BRIEF);
    if (toast.type === "failure" && showFailureToast) this.toastr.error(toast.text, "", BRIEF);
  }

  private update(entry: Shown, text: string): void {
    // If the user has dismissed the toast, new progress gets a new one.
    if (entry.element?.[0]?.isConnected) entry.element.find(".toast-message").text(text);
    else entry.element = this.toastr.info(text, "", STICKY);
  }
}

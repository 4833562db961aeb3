/** A function of the host: we pass on all arguments. */
export type HostFunction = (this: unknown, ...args: unknown[]) => unknown;

/** The page, parent of every script's frame. Its constructors make values that outlive our frame. */
export interface Page {
  readonly document: Document;
  readonly TavernHelper: Record<string, unknown>;
  readonly Promise: PromiseConstructor;
  readonly Error: ErrorConstructor;
  readonly Set: SetConstructor;
  readonly localStorage?: Storage;
  readonly navigator?: { readonly language?: string };
}

/** The part of a jQuery object that we use. */
export interface JQueryLike {
  readonly [index: number]: Element;
  find(selector: string): JQueryLike;
  text(text: string): JQueryLike;
  remove(): JQueryLike;
}

export type Toastr = Record<
  "info" | "success" | "warning" | "error",
  (message: string, title?: string, options?: Readonly<Record<string, unknown>>) => JQueryLike | undefined
>;

export type EventListenerOf = (...args: unknown[]) => void;

/** The globals of Tavern Helper in a script's frame. */
export interface FrameGlobals {
  readonly toastr: Toastr;
  readonly SillyTavern?: {
    deactivateSendButtons?(): void;
    activateSendButtons?(): void;
    getCurrentLocale?(): string;
    /** The emitter of all events. */
    readonly eventSource?: { readonly emit?: unknown };
  };
  getScriptId?(): string;
  getVariables(option: { readonly type: "script" }): unknown;
  insertOrAssignVariables(variables: Readonly<Record<string, unknown>>, option: { readonly type: "script" }): unknown;
  eventOn(event: string, listener: EventListenerOf): unknown;
  eventRemoveListener(event: string, listener: EventListenerOf): void;
  getButtonEvent?(name: string): string;
  appendInexistentScriptButtons?(buttons: readonly { readonly name: string; readonly visible: boolean }[]): void;
}

/** Everything of the host that the script touches, in one place. */
export interface Host {
  readonly page: Page;
  readonly frame: FrameGlobals;
}

/** Throws outside a frame of Tavern Helper, before anything is changed. */
export function readHost(own: Window): Host {
  const page = own.parent as unknown as Page;
  const frame = own as unknown as FrameGlobals;
  if (typeof page.TavernHelper?.generate !== "function") {
    throw new Error("Tavern Helper not found: Secondwind runs as a script of this SillyTavern extension.");
  }
  return { page, frame };
}

/** Chinese for a host in Chinese, else English. */
export function languageOf({ page, frame }: Host): "en" | "zh" {
  const chosen =
    attempt(() => frame.SillyTavern?.getCurrentLocale?.()) ?? attempt(() => page.localStorage?.getItem("language"));
  const language = chosen || page.navigator?.language || "en";
  return /^zh\b/i.test(language) ? "zh" : "en";
}

function attempt(read: () => string | null | undefined): string | undefined {
  try {
    return read() ?? undefined;
  } catch {
    // Storage may be blocked; the language is not worth a failure.
    return undefined;
  }
}

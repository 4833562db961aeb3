/** A function of the host as we meet it: we pass on whatever we get. */
export type HostFunction = (this: unknown, ...args: unknown[]) => unknown;

/** What the page (the parent of every script's frame) has for us. Its constructors make values that outlive our frame. */
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

export type ToastLevel = "info" | "success" | "error" | "warning";
export type Toastr = Record<
  ToastLevel,
  (message: string, title?: string, options?: Readonly<Record<string, unknown>>) => JQueryLike | undefined
>;

export type EventListenerOf = (...args: unknown[]) => void;

/** The globals that Tavern Helper gives to a script's frame. */
export interface FrameGlobals {
  readonly toastr: Toastr;
  readonly SillyTavern?: {
    deactivateSendButtons?(): void;
    activateSendButtons?(): void;
    getCurrentLocale?(): string;
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

/** Throws where this is no frame of Tavern Helper: then nothing of ours is put in place. */
export function readHost(own: Window): Host {
  const page = own.parent as unknown as Page;
  const frame = own as unknown as FrameGlobals;
  if (typeof page.TavernHelper?.generate !== "function") {
    throw new Error("Secondwind runs as a script of SillyTavern's Tavern Helper extension, and found none.");
  }
  return { page, frame };
}

/** Chinese for a host in Chinese, else English. */
export function languageOf({ page, frame }: Host): "en" | "zh" {
  const said =
    attempt(() => frame.SillyTavern?.getCurrentLocale?.()) ?? attempt(() => page.localStorage?.getItem("language"));
  const language = said || page.navigator?.language || "en";
  return /^zh\b/i.test(language) ? "zh" : "en";
}

function attempt(read: () => string | null | undefined): string | undefined {
  try {
    return read() ?? undefined;
  } catch {
    // Storage may be forbidden; the language is not worth a failure.
    return undefined;
  }
}

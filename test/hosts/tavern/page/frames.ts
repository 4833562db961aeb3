import type { HostClock } from "./clock.ts";
import type { HostEvents } from "./events.ts";

type FrameWindow = Window & typeof globalThis & Record<string, unknown>;

export interface FrameParts {
  readonly clock: HostClock;
  readonly events: HostEvents;
  /** `parent.TavernHelper`: what each frame copies when it loads. */
  readonly helper: Record<string, unknown>;
  readonly shared: Readonly<Record<string, unknown>>;
  readonly variables: Map<string, Record<string, unknown>>;
  readonly buttons: Map<string, string[]>;
}

/** Scripts and messages live in hidden frames of the same origin, each with copies of the helper's functions. */
export function createFrames(parts: FrameParts) {
  const { clock, events, helper, shared, variables, buttons } = parts;
  const scripts = new Map<string, string>();

  /** Runs in a frame before its script, called from there. */
  function predefine(frame: FrameWindow): void {
    const scriptId = (frame.frameElement as HTMLElement).dataset.scriptId ?? "";
    clock.rule(frame);
    let isGone = false;
    frame.addEventListener("pagehide", () => {
      isGone = true;
      clock.bury(frame);
    });
    const readable = (): Record<string, unknown> => variables.get(scriptId) ?? {};
    const own = {
      getScriptId: () => scriptId,
      getVariables: () => structuredClone(readable()),
      insertOrAssignVariables(changes: Record<string, unknown>) {
        if (isGone) throw new Error("The script is gone: its variables can't be written.");
        variables.set(scriptId, { ...readable(), ...structuredClone(changes) });
      },
      eventOn(event: string, listener: () => void) {
        events.on(event, listener);
        // Does nothing, as in the real host.
        return { stop: () => undefined };
      },
      eventRemoveListener: (event: string, listener: () => void) => events.removeListener(event, listener),
      getButtonEvent: (name: string) => `${scriptId}_${name}`,
      appendInexistentScriptButtons(added: readonly { readonly name: string }[]) {
        const known = buttons.get(scriptId) ?? [];
        buttons.set(scriptId, [...new Set([...known, ...added.map(({ name }) => name)])]);
      },
    };
    Object.assign(frame, shared, helper, own);
    frame.TavernHelper = { ...helper, ...own };
  }

  function open(id: string, content: string, scriptId = ""): Promise<HTMLIFrameElement> {
    const frame = document.createElement("iframe");
    frame.id = id;
    frame.dataset.scriptId = scriptId;
    frame.style.display = "none";
    frame.srcdoc = `<!doctype html><head><script src="/vue.js"></script><script>parent.tavern.predefine(window)</script></head>
<body><script type="module">${content}</script></body>`;
    const loaded = new Promise<HTMLIFrameElement>((resolve) => frame.addEventListener("load", () => resolve(frame)));
    document.body.append(frame);
    return loaded;
  }

  return {
    predefine,
    openScript(name: string, content: string, scriptId = crypto.getRandomValues(new Uint32Array(2)).join("-")) {
      scripts.set(name, content);
      return open(`TH-script--${name}--${scriptId}`, content, scriptId);
    },
    openMessage: (name: string, content = "") => open(`TH-message--${name}`, content),
    /** Disable, edit, reload: removes the frame from the page. */
    close(name: string): void {
      document.querySelector(`iframe[id^="TH-script--${name}--"], iframe[id="TH-message--${name}"]`)?.remove();
    },
    windowOf(name: string): FrameWindow {
      const frame = document.querySelector<HTMLIFrameElement>(
        `iframe[id^="TH-script--${name}--"], iframe[id="TH-message--${name}"]`,
      );
      return frame?.contentWindow as unknown as FrameWindow;
    },
  };
}

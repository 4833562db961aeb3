import { describe, expect, test } from "vitest";
import { createRenderer } from "vue";
import { Countdown } from "../../examples/countdown-vue.ts";
import { resilient, type Waits, waits } from "../../src/index.ts";
import { httpError } from "../support/world.ts";

/** A page without a browser. */
interface Place {
  readonly name: string;
  text: string;
  readonly children: Place[];
  parent: Place | null;
  click?: () => void;
}

const place = (name: string, text = ""): Place => ({ name, text, children: [], parent: null });
const sayText = ({ text, children }: Place): string => text + children.map(sayText).join("");
const buttonsIn = (node: Place): Place[] => (node.name === "button" ? [node] : node.children.flatMap(buttonsIn));

const { createApp } = createRenderer<Place, Place>({
  createElement: (name) => place(name),
  createText: (text) => place("#text", text),
  createComment: () => place("#comment"),
  setText: (node, text) => {
    node.text = text;
  },
  setElementText: (node, text) => {
    node.children.splice(0, node.children.length, place("#text", text));
  },
  insert: (node, parent, before) => {
    const at = before == null ? parent.children.length : parent.children.indexOf(before);
    parent.children.splice(at, 0, node);
    node.parent = parent;
  },
  remove: (node) => {
    node.parent?.children.splice(node.parent.children.indexOf(node), 1);
  },
  patchProp: (node, name, _, value) => {
    if (name === "onClick") node.click = value;
  },
  parentNode: ({ parent }) => parent,
  nextSibling: (node) => node.parent?.children[node.parent.children.indexOf(node) + 1] ?? null,
});

function show(waiting: Waits): { readonly root: Place; unmount(): void } {
  const root = place("div");
  const app = createApp(Countdown, { of: waiting });
  app.mount(root);
  return { root, unmount: () => app.unmount() };
}

const limited = () =>
  resilient(({ attempt }) => {
    if (attempt === 1) throw httpError(429, "slow down", { "retry-after": "60" });
    return "fine";
  });

describe("a countdown in Vue", () => {
  test("B8: shows a wait that had begun before the component, and Retry now ends it", async () => {
    const ask = limited();
    const waiting = waits(ask);
    const answer = ask();
    await expect.poll(() => waiting.getSnapshot().length).toBe(1);
    const { root, unmount } = show(waiting);
    expect(sayText(root)).toBe("Rate limited — retry 1 in 60 s Retry nowGive up");
    buttonsIn(root)[0]?.click?.();
    expect(await answer).toBe("fine");
    await expect.poll(() => sayText(root)).toBe("");
    unmount();
  });

  test("B8: Give up ends the call", async () => {
    const ask = limited();
    const { root, unmount } = show(waits(ask));
    const ending = ask().catch((error: unknown) => error);
    await expect.poll(() => buttonsIn(root).length).toBe(2);
    buttonsIn(root)[1]?.click?.();
    expect(await ending).toMatchObject({ status: 429 });
    unmount();
  });
});

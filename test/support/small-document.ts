/** As much of a document as React needs to show a component, without a browser: elements, texts, clicks. */
class SmallNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly ownerDocument: unknown;
  parentNode: SmallNode | null = null;
  readonly childNodes: SmallNode[] = [];
  nodeValue: string | null = null;
  readonly #listeners = new Map<string, Set<(event: unknown) => void>>();
  readonly attributes = new Map<string, string>();

  constructor(nodeType: number, nodeName: string, ownerDocument: unknown) {
    this.nodeType = nodeType;
    this.nodeName = nodeName.toUpperCase();
    this.ownerDocument = ownerDocument;
  }

  get tagName(): string {
    return this.nodeName;
  }

  get namespaceURI(): string {
    return "http://www.w3.org/1999/xhtml";
  }

  get firstChild(): SmallNode | null {
    return this.childNodes[0] ?? null;
  }

  get lastChild(): SmallNode | null {
    return this.childNodes.at(-1) ?? null;
  }

  get textContent(): string {
    return this.nodeValue ?? this.childNodes.map(({ textContent }) => textContent).join("");
  }

  set textContent(text: string) {
    for (const child of [...this.childNodes]) this.removeChild(child);
    if (text !== "") this.appendChild(textOf(text, this.ownerDocument));
  }

  appendChild(child: SmallNode): SmallNode {
    return this.insertBefore(child, null);
  }

  insertBefore(child: SmallNode, before: SmallNode | null): SmallNode {
    child.parentNode?.removeChild(child);
    this.childNodes.splice(before === null ? this.childNodes.length : this.childNodes.indexOf(before), 0, child);
    child.parentNode = this;
    return child;
  }

  removeChild(child: SmallNode): SmallNode {
    this.childNodes.splice(this.childNodes.indexOf(child), 1);
    child.parentNode = null;
    return child;
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }

  addEventListener(type: string, hear: (event: unknown) => void): void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners.add(hear));
  }

  removeEventListener(type: string, hear: (event: unknown) => void): void {
    this.#listeners.get(type)?.delete(hear);
  }

  /** Bubbles to whoever listens, as a press of the mouse does. */
  click(): void {
    const event = {
      type: "click",
      target: this,
      bubbles: true,
      timeStamp: 1,
      preventDefault() {},
      stopPropagation() {},
    };
    for (let node: SmallNode | null = this; node !== null; node = node.parentNode)
      for (const hear of node.#listeners.get("click") ?? []) hear(event);
  }

  find(name: string): SmallNode[] {
    const inside = this.childNodes.flatMap((child) => child.find(name));
    return this.nodeName === name.toUpperCase() ? [this, ...inside] : inside;
  }
}

function textOf(text: string, ownerDocument: unknown): SmallNode {
  const node = new SmallNode(3, "#text", ownerDocument);
  node.nodeValue = text;
  return node;
}

/** A container to render into, in a document that exists until `remove`. */
export function smallDocument(): { readonly root: SmallNode; remove(): Promise<void> } {
  const document: SmallNode = Object.assign(new SmallNode(9, "#document", null), {
    createElement: (name: string) => new SmallNode(1, name, document),
    createElementNS: (_: string, name: string) => new SmallNode(1, name, document),
    createTextNode: (text: string) => textOf(text, document),
    activeElement: null,
  });
  const window = { document, HTMLIFrameElement: class {}, getSelection: () => null, addEventListener() {} };
  Object.assign(document, { defaultView: window });
  Object.assign(globalThis, { window, document });
  return {
    root: document.appendChild(new SmallNode(1, "div", document)),
    remove: async () => {
      // React tidies up after the last render in turns of its own.
      for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
      Reflect.deleteProperty(globalThis, "window");
      Reflect.deleteProperty(globalThis, "document");
    },
  };
}

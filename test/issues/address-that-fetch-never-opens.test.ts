import { expect, test } from "vitest";
import { resilientFetch } from "../../src/adapters/fetch/index.ts";

/** Loaders of WebAssembly try `fetch` first and read the file themselves when it fails. */
test.each(["file:///etc/hostname", "about:blank", "chrome-extension://a/b"])(
  "E4: %s is refused at once, in the words of fetch",
  async (address) => {
    const attempts: unknown[] = [];
    const fetch = resilientFetch({}, { on: (event) => event.type === "attempt-start" && attempts.push(event) });
    await expect(fetch(address)).rejects.toThrow(new TypeError("fetch failed"));
    expect(attempts).toHaveLength(1);
  },
);

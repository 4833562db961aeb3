import { afterEach, describe, expect, test, vi } from "vitest";
import { createIdSource } from "../../src/system/new-id.ts";
import { reportFault } from "../../src/system/report-fault.ts";
import { systemPorts } from "../../src/system/system-ports.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

describe("the real ports", () => {
  test("E12: clocks, chance and signals are the host's own", () => {
    const ports = systemPorts();
    expect(Math.abs(ports.now() - performance.now())).toBeLessThan(1000);
    expect(Math.abs(ports.wallNow() - Date.now())).toBeLessThan(1000);
    expect(ports.random()).toBeGreaterThanOrEqual(0);
    expect(ports.random()).toBeLessThan(1);
    const handle = ports.newAbort();
    const reasons: unknown[] = [];
    const left = { onAbort: () => reasons.push("never") };
    ports.onAbort(handle.signal, { onAbort: (reason) => reasons.push(reason) });
    ports.onAbort(handle.signal, left);
    ports.offAbort(handle.signal, left);
    handle.abort("why");
    expect(handle.signal.aborted).toBe(true);
    expect(ports.reasonOf(handle.signal)).toBe("why");
    expect(reasons).toEqual(["why"]);
  });

  test("E12: sleepers are woken and content is checked", async () => {
    const ports = systemPorts();
    await new Promise<void>((wake) => ports.sleep({ wakeAtMs: 0, slot: -1, wake }, 1));
    expect(ports.checkContent?.("abc", { text: "b" })).toBe("present");
  });

  test("E20: everything that can be shared is shared, and overrides take its place", () => {
    const [one, other] = [systemPorts(), systemPorts({ now: () => 5 })];
    for (const name of ["sleep", "rouse", "onAbort", "offAbort", "checkContent", "newId", "reportFault"] as const) {
      expect(other[name]).toBe(one[name]);
    }
    expect(other.now()).toBe(5);
  });
});

describe("ids", () => {
  test("E12: never repeat, and differ between sources", () => {
    const [source, other] = [createIdSource(), createIdSource()];
    const ids = new Set(Array.from({ length: 10_000 }, () => source()));
    expect(ids.size).toBe(10_000);
    expect([...ids][0]).toMatch(/^[0-9a-z]{21}-1$/);
    expect([...ids][35]).toMatch(/^[0-9a-z]{21}-10$/);
    expect(ids.has(other())).toBe(false);
  });

  test("E20: ask for random numbers only once", () => {
    const random = vi.spyOn(Math, "random");
    const source = createIdSource();
    expect(random).toHaveBeenCalledTimes(0);
    for (let call = 0; call < 10; call++) source();
    expect(random).toHaveBeenCalledTimes(3);
    random.mockRestore();
  });
});

describe("faults", () => {
  test("E19: are reported as a warning on Node", () => {
    const emitWarning = vi.spyOn(process, "emitWarning").mockImplementation(() => {});
    const fault = new RangeError("too far");
    reportFault(fault, "listener");
    reportFault("just text", "store");
    expect(emitWarning.mock.calls).toEqual([
      [
        "Secondwind: fault in listener, continuing without it: RangeError: too far",
        { type: "SecondwindFault", detail: fault.stack },
      ],
      ["Secondwind: fault in store, continuing without it: just text", { type: "SecondwindFault", detail: "" }],
    ]);
  });

  test("E19: are reported on the console in a browser", () => {
    vi.stubGlobal("process", undefined);
    const error = vi.spyOn(console, "error").mockImplementation(() => {});
    const fault = new RangeError("too far");
    reportFault(fault, "listener");
    expect(error.mock.calls).toEqual([
      ["Secondwind: fault in listener, continuing without it: RangeError: too far", fault],
    ]);
  });

  test("E19: never throw themselves", () => {
    const nasty = {
      toString() {
        throw new Error("no text");
      },
    };
    expect(() => reportFault(nasty, "store")).not.toThrow();
    vi.spyOn(process, "emitWarning").mockImplementation(() => {
      throw new Error("no warnings");
    });
    expect(() => reportFault(new Error("x"), "store")).not.toThrow();
  });
});

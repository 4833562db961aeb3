import { expect, test } from "vitest";
import { GenerationState, type Setup } from "../../../src/kernel/generation-state.ts";
import { CallGeneration, type CallSetup } from "../../../src/kernel/run-call.ts";

/** A generation with nothing of its own. */
class Bare extends (GenerationState as unknown as new (
  setup: Setup,
  signal: AbortSignal | undefined,
  id: string,
) => object) {}

test("E20: a call generation is made with the fields that every generation has, and three of its own", () => {
  const setup = {} as CallSetup;
  const { signal } = new AbortController();
  const call = () => undefined;
  const resolve = () => undefined;
  const made = new CallGeneration(setup, call, resolve, signal, "mine");
  expect({ ...made }).toEqual({ ...new Bare(setup, signal, "mine"), value: undefined, call, resolve });
  expect(Object.keys(made).sort()).toEqual(
    [...Object.keys(new Bare(setup, signal, "mine")), "value", "call", "resolve"].sort(),
  );
});

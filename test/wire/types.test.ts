import { describe, expectTypeOf, test } from "vitest";
import type { z } from "zod";
import type * as wire from "../../src/wire/index.ts";
import type { usageSchema } from "../../src/wire/message.ts";
import type * as schemas from "./session-schemas.ts";

/** The same shape without `readonly` and `?`, which a schema's inferred type has differently or not at all. */
type Plain<T> = T extends readonly (infer E)[]
  ? Plain<E>[]
  : T extends object
    ? { -readonly [K in keyof T]-?: Plain<T[K]> }
    : T;

type Schema<T extends z.ZodType> = Plain<z.infer<T>>;

// tsc checks these: vitest only runs them.
describe("the public types of wire/", () => {
  test("S9: a message has the fields of its schema", () => {
    expectTypeOf<Plain<wire.Usage>>().toEqualTypeOf<Schema<typeof usageSchema>>();
    expectTypeOf<Plain<wire.Message>>().toEqualTypeOf<Schema<typeof wire.messageSchema>>();
  });

  test("S7: a session event has the fields of its schema", () => {
    expectTypeOf<Plain<wire.SessionEvent>>().toEqualTypeOf<Schema<typeof schemas.sessionEventSchema>>();
  });

  test("S9: commands, responses and the state have the fields of their schemas", () => {
    expectTypeOf<Plain<wire.RpcCommand>>().toEqualTypeOf<Schema<typeof wire.rpcCommandSchema>>();
    expectTypeOf<Plain<wire.RpcResponse>>().toEqualTypeOf<Schema<typeof schemas.rpcResponseSchema>>();
    expectTypeOf<Plain<wire.RpcState>>().toEqualTypeOf<Schema<typeof schemas.rpcStateSchema>>();
  });

  test("S1: the settings have the fields of their schema", () => {
    expectTypeOf<Plain<wire.RetrySettings>>().toEqualTypeOf<Schema<typeof wire.retrySettingsSchema>>();
  });

  test("K6: a turn's event has the fields of the schema that the tests check it with", () => {
    expectTypeOf<Plain<wire.AgentEvent>>().toEqualTypeOf<
      Schema<typeof import("./agent-event-schema.ts").agentEventSchema>
    >();
  });
});

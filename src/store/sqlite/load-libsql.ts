import type { Database } from "libsql";
import { StoreError } from "../store-error.ts";

export type NativeDatabase = Database;
type DatabaseClass = new (path: string, options: { readonly timeout: number }) => NativeDatabase;
export type LoadLibsql = () => Promise<DatabaseClass>;

/** Only here, and only when a store is opened: the package has a native part, and not for every platform. */
export const loadLibsql: LoadLibsql = loading(() => import("libsql"));

export function loading(load: () => Promise<{ readonly default: DatabaseClass }>): LoadLibsql {
  return async () => {
    try {
      return (await load()).default;
    } catch (cause) {
      throw unavailable(cause);
    }
  };
}

function unavailable(cause: unknown): StoreError {
  const platform = `${process.platform}-${process.arch}`;
  const message =
    `The store needs the native package libsql, and it could not be loaded on ${platform}: ${reasonOf(cause)}. ` +
    "Install again without --omit=optional, use a platform that libsql has a binary for, " +
    'or open the store ":memory:", which forgets everything with the process.';
  return new StoreError("unavailable", message, { cause });
}

function reasonOf(cause: unknown): string {
  const [line = ""] = String(cause instanceof Error ? cause.message : cause).split("\n");
  return line.replace(/\.$/, "");
}

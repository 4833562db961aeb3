/** What the provider does with one call. */
export type Step =
  | { readonly do: "answer"; readonly text?: string; readonly afterMs?: number }
  | { readonly do: "call-tool" }
  /** `as`: the host rejects with an Error of the page's realm, or with a plain string. */
  | { readonly do: "fail"; readonly text: string; readonly as?: "Error" | "text"; readonly afterMs?: number }
  /** A used-up quota of the main connection: the host opens a dialog and throws an object as text. */
  | { readonly do: "fail-quota"; readonly afterMs?: number }
  /** Never answers and never settles unless stopped; if `deaf`, not even then. */
  | { readonly do: "hang"; readonly isDeaf?: boolean }
  | {
      readonly do: "stream";
      readonly tokens: readonly (readonly [atMs: number, text: string])[];
      /** `cut`: never settles; `broken`: an error event, after which the host resolves with what it has. */
      readonly then: "end" | "cut" | "broken";
    };

export const stream = (then: "end" | "cut" | "broken", ...tokens: (readonly [number, string])[]): Step => ({
  do: "stream",
  tokens,
  then,
});

/** One call as it reached the host. */
export interface HostCall {
  readonly atMs: number;
  readonly name: "generate" | "generateRaw";
  readonly id: string;
  readonly config: Readonly<Record<string, unknown>>;
}

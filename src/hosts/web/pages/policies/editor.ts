import { type ComputedRef, computed, type InjectionKey, inject, provide } from "vue";
import type { Policy } from "../../../../kernel/index.ts";
import type { PolicyView } from "../../../../wire/http/server.ts";
import type { Draft, Problem } from "./check-draft.ts";
import { draftOf, isSame } from "./draft-of.ts";
import { usePolicies } from "./policies-store.ts";
import { valueAt, withValueAt } from "./policy-path.ts";

/** What the fields of one policy share. */
export interface Editor {
  readonly draft: ComputedRef<Draft>;
  readonly saved: ComputedRef<Draft>;
  /** The last valid values. */
  readonly policy: ComputedRef<Policy>;
  readonly problems: ComputedRef<readonly Problem[]>;
  readonly isReadOnly: ComputedRef<boolean>;
  valueAt(path: string): unknown;
  isChanged(path: string): boolean;
  /** The problem of a field, or with `inside` of anything in it. */
  problemAt(path: string, options?: { readonly inside?: boolean }): Problem | undefined;
  /** Undefined takes a field away. */
  edit(path: string, value: unknown): void;
  reset(path: string): void;
}

const KEY: InjectionKey<Editor> = Symbol("policy editor");

export function provideEditor(view: () => PolicyView): Editor {
  const store = usePolicies();
  const saved = computed(() => draftOf(view().policy));
  const current = computed(() => store.edits.get(view().name));
  const draft = computed(() => current.value?.draft ?? saved.value);
  const problems = computed(() => current.value?.problems ?? []);
  const editor: Editor = {
    draft,
    saved,
    policy: computed(() => current.value?.policy ?? view().policy),
    problems,
    isReadOnly: computed(() => view().isPreset),
    valueAt: (path) => valueAt(draft.value, path),
    isChanged: (path) => !isSame(draft.value, saved.value, path),
    problemAt: (path, { inside = false } = {}) =>
      problems.value.find((one) => one.path === path || (inside && isInside(one.path, path))),
    edit: (path, value) => store.change(view().name, withValueAt(draft.value, path, value)),
    reset: (path) => store.change(view().name, withValueAt(draft.value, path, valueAt(saved.value, path))),
  };
  provide(KEY, editor);
  return editor;
}

function isInside(path: string, outer: string): boolean {
  return path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);
}

export function useEditor(): Editor {
  const editor = inject(KEY);
  if (editor === undefined) throw new Error("A field of a policy stands outside of an editor");
  return editor;
}

import { defineStore } from "pinia";
import { computed, shallowReactive, shallowRef } from "vue";
import { definePolicy, type Policy } from "../../../../kernel/index.ts";
import type { PolicyView } from "../../../../wire/http/server.ts";
import { api } from "../../api/http.ts";
import { useSession } from "../../stores/session.ts";
import { checkDraft, type Draft, type Problem } from "./check-draft.ts";
import { countChanges, draftOf } from "./draft-of.ts";
import type { StoredPolicy } from "./import-policies.ts";

/** A policy that is being edited. */
export interface Edit {
  readonly draft: Draft;
  readonly problems: readonly Problem[];
  /** The draft with the last valid values. */
  readonly policy: Policy;
  readonly changes: number;
}

/** Presets, own policies and what is edited but not saved. Outlives the page, so that another tab of the app loses nothing. */
export const usePolicies = defineStore("policies", () => {
  const session = useSession();
  const list = shallowRef<readonly PolicyView[]>([]);
  const isLoaded = shallowRef(false);
  const edits = shallowReactive(new Map<string, Edit>());

  // Another page of the app leaves the edits alone; closing or reloading would lose them.
  window.addEventListener("beforeunload", (event) => {
    if (edits.size > 0) event.preventDefault();
  });

  async function load(): Promise<void> {
    const answer = await api.get<readonly PolicyView[] | { readonly policies: readonly PolicyView[] }>("/api/policies");
    const views = "policies" in answer ? answer.policies : answer;
    // Made whole by the engine's own function: only such a policy may go to `decide`.
    list.value = views.map((view) => ({ ...view, policy: definePolicy(view.policy) }));
    isLoaded.value = true;
  }

  const find = (name: string): PolicyView | undefined => list.value.find((view) => view.name === name);

  /** An edit that makes the draft what is saved is no edit. */
  function change(name: string, draft: Draft): void {
    const view = find(name);
    if (view === undefined || view.isPreset) return;
    const changes = countChanges(draft, draftOf(view.policy));
    if (changes === 0) {
      edits.delete(name);
      return;
    }
    const valid = edits.get(name)?.policy ?? view.policy;
    edits.set(name, { draft, changes, ...checkDraft(draft, valid) });
  }

  async function put({ name, from, policy }: StoredPolicy): Promise<void> {
    const body = { ...(from !== undefined && { from }), policy: { ...policy, name } };
    await api.put(`/api/policies/${encodeURIComponent(name)}`, body);
  }

  async function save(name: string): Promise<void> {
    const [edit, view] = [edits.get(name), find(name)];
    if (edit === undefined || view === undefined || edit.problems.length > 0) return;
    await put({ name, policy: edit.policy, ...(view.from !== undefined && { from: view.from }) });
    // Typed on while it was being saved: that is still to save.
    const later = edits.get(name)?.draft;
    edits.delete(name);
    await load();
    if (later !== undefined && later !== edit.draft) change(name, later);
  }

  async function add(policies: readonly StoredPolicy[]): Promise<void> {
    for (const policy of policies) await put(policy);
    await load();
  }

  async function remove(name: string): Promise<void> {
    await api.delete(`/api/policies/${encodeURIComponent(name)}`);
    edits.delete(name);
    await load();
  }

  /** For turns that name no policy. */
  async function use(name: string): Promise<void> {
    await api.put("/api/settings", { "serve.policy": name });
    await session.open();
  }

  /** The edit moves along, and so does its use. */
  async function rename(name: string, to: string): Promise<void> {
    const [view, edit] = [find(name), edits.get(name)];
    if (view === undefined) return;
    await put({ name: to, policy: view.policy, ...(view.from !== undefined && { from: view.from }) });
    if (session.info?.policy === name) await use(to);
    await remove(name);
    if (edit !== undefined) change(to, { ...edit.draft, name: to });
  }

  return {
    list,
    isLoaded,
    edits,
    presets: computed(() => list.value.filter(({ isPreset }) => isPreset)),
    own: computed(() => list.value.filter(({ isPreset }) => !isPreset)),
    names: computed(() => list.value.map(({ name }) => name)),
    load,
    find,
    change,
    discard: (name: string) => edits.delete(name),
    save,
    add,
    remove,
    rename,
    use,
  };
});

import { onScopeDispose, type Ref, ref } from "vue";

export function useMediaQuery(query: string): Readonly<Ref<boolean>> {
  const list = window.matchMedia(query);
  const matches = ref(list.matches);
  const update = (): void => {
    matches.value = list.matches;
  };
  list.addEventListener("change", update);
  onScopeDispose(() => list.removeEventListener("change", update));
  return matches;
}

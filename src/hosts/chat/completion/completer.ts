import type { Choice } from "../commands/command.ts";
import type { ChatController } from "../controller.ts";
import type { Edit } from "../state/editor.ts";
import { commonStart, narrow } from "./narrow.ts";
import { type CompletionPlace, placeOf } from "./place-of.ts";

/** Edits after which the menu follows the text. Others, such as browsing the history, close it. */
const TYPING: ReadonlySet<Edit["type"]> = new Set<Edit["type"]>([
  "insert",
  "replace",
  "backspace",
  "delete",
  "cut-before",
  "cut-after",
  "cut-word",
]);

/** Keeps the menu in step with the input, and puts what is chosen into it. */
export class Completer {
  readonly #chat: ChatController;
  /** Counts the searches: of two that overlap, the newer one counts. */
  #search = 0;
  /** A search runs: until it ends, the menu shows what fitted the text before. */
  #isLate = false;

  constructor(chat: ChatController) {
    this.#chat = chat;
  }

  follow(edit: Edit): void {
    if (TYPING.has(edit.type)) this.#find();
    else this.close();
  }

  close(): void {
    this.#search += 1;
    this.#isLate = false;
    if (this.#chat.state.menu !== undefined) this.#chat.dispatch({ type: "menu", menu: undefined });
  }

  /** Tab: takes the chosen one, the only one, or as much as all have in common. Opens the menu if it is closed. */
  complete(): void {
    const { menu, editor } = this.#chat.state;
    if (menu !== undefined && this.#isLate) return this.#find(() => this.complete());
    if (menu === undefined) return this.#find(() => this.#chat.state.menu?.choices.length === 1 && this.accept(0));
    if (menu.selected >= 0 && menu.kind !== "command") return this.accept(menu.selected);
    const typed = editor.text.slice(menu.from, editor.cursor);
    const common = commonStart(menu.choices);
    if (menu.choices.length > 1 && common.length > typed.length && common.startsWith(typed)) {
      return this.#replace(menu.from, common);
    }
    this.accept(Math.max(0, menu.selected));
  }

  accept(index: number): void {
    const { menu } = this.#chat.state;
    const choice = menu?.choices[index];
    if (menu === undefined || choice === undefined) return;
    this.#replace(menu.from, choice.isOpen === true ? choice.text : `${choice.text} `);
  }

  #replace(from: number, text: string): void {
    const edit: Edit = { type: "replace", from, text };
    this.#chat.dispatch({ type: "edit", edit });
    this.follow(edit);
  }

  #find(then: () => void = () => undefined): void {
    this.#search += 1;
    const search = this.#search;
    const place = placeOf(this.#chat.state.editor);
    const show = (choices: readonly Choice[]): void => {
      if (search !== this.#search || place === undefined) return;
      this.#isLate = false;
      const { from, kind, word } = place;
      const fitting = narrow(choices, word);
      if (fitting.length === 0) return this.close();
      const selected = kind === "command" ? 0 : -1;
      this.#chat.dispatch({ type: "menu", menu: { from, kind, choices: fitting, selected } });
      then();
    };
    const found = place === undefined ? undefined : this.#choicesAt(place);
    if (Array.isArray(found)) return show(found);
    this.#keepMenu(place);
    this.#search = search;
    // A folder or a store that can't be read: there is nothing to offer.
    (found as Promise<readonly Choice[]> | undefined)?.then(show, () => search === this.#search && this.close());
  }

  /** Until a search ends: closing and opening the menu with every key would flicker. Nothing in it is selected meanwhile. */
  #keepMenu(place: CompletionPlace | undefined): void {
    const { menu } = this.#chat.state;
    if (menu?.from !== place?.from) return this.close();
    this.#isLate = true;
    if (menu !== undefined && menu.selected !== -1) {
      this.#chat.dispatch({ type: "menu", menu: { ...menu, selected: -1 } });
    }
  }

  #choicesAt(place: CompletionPlace): readonly Choice[] | Promise<readonly Choice[]> {
    const chat = this.#chat;
    switch (place.kind) {
      case "command":
        return chat.commands.all.map(({ name, parameters, description }) => ({
          text: `/${name}`,
          hint: parameters === "" ? description : `${parameters} ${description}`,
          isOpen: parameters === "",
        }));
      case "argument":
        return chat.commands.find(place.name)?.complete?.(chat, place.words) ?? [];
      case "file":
        return this.#files(place.word.slice(1));
      default:
        return place satisfies never;
    }
  }

  async #files(path: string): Promise<readonly Choice[]> {
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    const isHidden = (name: string): boolean => name.startsWith(".") && !path.slice(folder.length).startsWith(".");
    const entries = await this.#chat.parts.listFolder(folder === "" ? "." : folder);
    return entries
      .filter(({ name }) => !isHidden(name))
      .map(({ name, isFolder }) => ({ text: `@${folder}${name}${isFolder ? "/" : ""}`, isOpen: isFolder }));
  }
}

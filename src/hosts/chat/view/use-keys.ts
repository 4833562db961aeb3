import { useStdin } from "ink";
import { useEffect } from "react";
import type { ChatController } from "../controller.ts";
import { KeyReader } from "../keyboard/key-reader.ts";

/**
 * How long an escape may still be the beginning of a longer key. Terminals send a key in one piece and slow lines split it, but
 * not for long; pressing Esc must not feel delayed.
 */
const ESCAPE_WITHIN_MS = 40;

/** Reads the keyboard. Not Ink's `useInput`: it throws on unknown keys, and drops several keys that arrive in one read. */
export function useKeys(chat: ChatController): void {
  const { stdin } = useStdin();
  useEffect(() => {
    const keys = new KeyReader();
    let timer: NodeJS.Timeout | undefined;
    const flush = (): void => {
      for (const press of keys.flush()) chat.press(press);
    };
    const read = (chunk: string): void => {
      clearTimeout(timer);
      for (const press of keys.push(chunk)) chat.press(press);
      if (keys.isHolding) timer = setTimeout(flush, ESCAPE_WITHIN_MS);
    };
    // The stream joins a character that is split between two reads.
    stdin.setEncoding("utf8");
    stdin.ref();
    stdin.setRawMode(true);
    stdin.on("data", read);
    return () => {
      clearTimeout(timer);
      stdin.off("data", read);
      // From here on the shell gets what is typed.
      stdin.pause();
      stdin.setRawMode(false);
      stdin.unref();
    };
  }, [stdin, chat]);
}

import { useStdin } from "ink";
import { useEffect } from "react";
import type { ChatController } from "../controller.ts";
import { KeyReader } from "../keyboard/key-reader.ts";

/**
 * How long an escape may be the beginning of a longer key. Terminals send those in one piece; slow lines cut them, but not for long,
 * and somebody who presses Esc should not notice it.
 */
const ESCAPE_WITHIN_MS = 40;

/**
 * The keyboard, for as long as the screen stands. Ink's own `useInput` is not used: it throws on keys that it does not know, and
 * takes several keys in one read for none.
 */
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
    // A character that two reads have a half of each is put together by the stream.
    stdin.setEncoding("utf8");
    stdin.ref();
    stdin.setRawMode(true);
    stdin.on("data", read);
    return () => {
      clearTimeout(timer);
      stdin.off("data", read);
      // What is typed from here on is the shell's.
      stdin.pause();
      stdin.setRawMode(false);
      stdin.unref();
    };
  }, [stdin, chat]);
}

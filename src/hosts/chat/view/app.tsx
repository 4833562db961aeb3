import { useCursor, useStdout } from "ink";
import { type ReactElement, useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { ChatController } from "../controller.ts";
import { layoutScreen } from "../layout/layout-screen.ts";
import type { Size } from "../state/chat-state.ts";
import { Lines } from "./lines.tsx";
import { paced } from "./paced.ts";
import type { Theme } from "./theme.ts";
import { useKeys } from "./use-keys.ts";

const CLEAR = "\u001b[2J\u001b[H";
/** Longer than Ink delays a frame, so that the redraw shows the newest one. */
const SETTLE_MS = 40;

interface AppProps {
  readonly chat: ChatController;
  readonly theme: Theme;
}

/** The whole screen: paints the state and reads the keys. */
export function App({ chat, theme }: AppProps): ReactElement {
  // One function for all frames: a new one would subscribe again and reset the pace.
  const subscribe = useCallback(
    (listener: () => void) => {
      const { ask, stop } = paced(listener);
      const unsubscribe = chat.subscribe(ask);
      return () => {
        unsubscribe();
        stop();
      };
    },
    [chat],
  );
  const state = useSyncExternalStore(subscribe, () => chat.state);
  const { lines, cursor } = layoutScreen(state);
  const { setCursorPosition } = useCursor();
  setCursorPosition({ x: cursor.column, y: cursor.row });
  useKeys(chat);
  useFreshScreen(state.size);
  return <Lines lines={lines} theme={theme} />;
}

/**
 * Redraws everything for each new `size` object: on a resize, and on Ctrl-L, which sets the same size again. Ink erases as many
 * lines as it wrote, but a resized terminal may have wrapped them differently; and it does not write a frame that has not changed.
 */
function useFreshScreen(size: Size): void {
  const { write } = useStdout();
  const [, setPainted] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for each new size object only.
  useEffect(() => {
    const timer = setTimeout(() => {
      write(CLEAR);
      // Renders once more: Ink takes the cursor position with each frame, and a delayed frame would lose it.
      setPainted((times) => times + 1);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [size]);
}

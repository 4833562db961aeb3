import { Box, useCursor, useStdout } from "ink";
import { type ReactElement, useCallback, useEffect, useState, useSyncExternalStore } from "react";
import type { ChatController } from "../controller.ts";
import { layoutScreen } from "../layout/layout-screen.ts";
import type { Size } from "../state/chat-state.ts";
import { Lines } from "./lines.tsx";
import { paced } from "./paced.ts";
import type { Theme } from "./theme.ts";
import { useKeys } from "./use-keys.ts";

const CLEAR = "\u001b[2J\u001b[H";
/** Longer than Ink holds a picture back: what is painted anew is the last one. */
const SETTLE_MS = 40;

interface AppProps {
  readonly chat: ChatController;
  readonly theme: Theme;
}

/** The whole screen: what the state looks like, and where its keys go. */
export function App({ chat, theme }: AppProps): ReactElement {
  // The same function for every picture: another one would be subscribed anew, and the pace forgotten.
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
  const { transcript, activity, input, status, cursor } = layoutScreen(state);
  const { setCursorPosition } = useCursor();
  setCursorPosition({ x: cursor.column, y: cursor.row });
  useKeys(chat);
  useFreshScreen(state.size);
  return (
    <Box flexDirection="column">
      <Lines lines={transcript} theme={theme} />
      <Lines lines={activity} theme={theme} />
      <Lines lines={input} theme={theme} />
      <Lines lines={[status]} theme={theme} />
    </Box>
  );
}

/**
 * Paints everything anew when the window has another size, or somebody asks for it, which says the same size once more. Ink rubs
 * out as many lines as it wrote, but a terminal that was resized may have broken them anew; and what is as it was it does not write.
 */
function useFreshScreen(size: Size): void {
  const { write } = useStdout();
  const [, setPainted] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: for each size that was told, and for nothing else.
  useEffect(() => {
    const timer = setTimeout(() => {
      write(CLEAR);
      // A picture that Ink still holds back would lose the cursor otherwise: it is told with each picture, and only once.
      setPainted((times) => times + 1);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [size]);
}

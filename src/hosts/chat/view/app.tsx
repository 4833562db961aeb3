import { Box, useCursor } from "ink";
import { type ReactElement, useCallback, useSyncExternalStore } from "react";
import type { ChatController } from "../controller.ts";
import { layoutScreen } from "../layout/layout-screen.ts";
import { Lines } from "./lines.tsx";
import { paced } from "./paced.ts";
import type { Theme } from "./theme.ts";
import { useKeys } from "./use-keys.ts";

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
  return (
    <Box flexDirection="column">
      <Lines lines={transcript} theme={theme} />
      <Lines lines={activity} theme={theme} />
      <Lines lines={input} theme={theme} />
      <Lines lines={[status]} theme={theme} />
    </Box>
  );
}

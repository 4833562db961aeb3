import { type ReactElement, useCallback, useLayoutEffect, useSyncExternalStore } from "react";
import type { ChatController } from "../controller.ts";
import { layoutScreen } from "../layout/layout-screen.ts";
import { Lines } from "./lines.tsx";
import { paced } from "./paced.ts";
import type { Painter } from "./painter.ts";
import type { Theme } from "./theme.ts";
import { useKeys } from "./use-keys.ts";

interface AppProps {
  readonly chat: ChatController;
  readonly theme: Theme;
  readonly painter: Painter;
}

/** The whole screen: paints the state and reads the keys. */
export function App({ chat, theme, painter }: AppProps): ReactElement {
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
  // Ink has passed the frame on by then.
  useLayoutEffect(() => painter.paint(cursor));
  useKeys(chat);
  return <Lines lines={lines} theme={theme} />;
}

import { Box, Text } from "ink";
import { memo, type ReactElement } from "react";
import type { Line } from "../layout/line.ts";
import type { Theme } from "./theme.ts";

interface LinesProps {
  readonly lines: readonly Line[];
  readonly theme: Theme;
}

/** Wider than any line. Ink measures some scripts differently from us, and must not cut a line that it believes too wide. */
const MORE_THAN_ENOUGH = 10_000;

/** Paints lines that are already laid out: wraps and cuts nothing. */
export function Lines({ lines, theme }: LinesProps): ReactElement {
  return (
    <Box flexDirection="column" width={MORE_THAN_ENOUGH}>
      {lines.map((line, index) => (
        <Row key={index} line={line} theme={theme} />
      ))}
    </Box>
  );
}

/** Most lines are the same objects from one frame to the next: those are not rendered again. */
const Row = memo(function Row({ line, theme }: { readonly line: Line; readonly theme: Theme }): ReactElement {
  return (
    <Text wrap="truncate-end">
      {line.length === 0
        ? " "
        : line.map(({ text, style }, at) => (
            <Text key={`${at}`} {...(style && theme[style])}>
              {text}
            </Text>
          ))}
    </Text>
  );
});

import { Box, Text } from "ink";
import type { ReactElement } from "react";
import type { Line } from "../layout/line.ts";
import type { Theme } from "./theme.ts";

interface LinesProps {
  readonly lines: readonly Line[];
  readonly theme: Theme;
}

/** More than any line has: Ink, which measures some scripts in its own way, finds that every line fits and cuts none. */
const MORE_THAN_ENOUGH = 10_000;

/** Lines that have been laid out: nothing is wrapped here, and nothing is cut. */
export function Lines({ lines, theme }: LinesProps): ReactElement {
  return (
    <Box flexDirection="column" width={MORE_THAN_ENOUGH}>
      {lines.map((line, index) => (
        <Text key={index} wrap="truncate-end">
          {line.length === 0 ? " " : line.map((span, at) => <Piece key={`${at}`} span={span} theme={theme} />)}
        </Text>
      ))}
    </Box>
  );
}

function Piece({ span, theme }: { readonly span: Line[number]; readonly theme: Theme }): ReactElement {
  return <Text {...(span.style === undefined ? {} : theme[span.style])}>{span.text}</Text>;
}

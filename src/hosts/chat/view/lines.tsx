import { Text } from "ink";
import type { ReactElement } from "react";
import type { Line } from "../layout/line.ts";
import type { Theme } from "./theme.ts";

interface LinesProps {
  readonly lines: readonly Line[];
  readonly theme: Theme;
}

/** Lines that have been laid out: nothing is wrapped here. */
export function Lines({ lines, theme }: LinesProps): ReactElement {
  return (
    <>
      {lines.map((line, index) => (
        <Text key={index} wrap="truncate-end">
          {line.length === 0 ? " " : line.map((span, at) => <Piece key={`${at}`} span={span} theme={theme} />)}
        </Text>
      ))}
    </>
  );
}

function Piece({ span, theme }: { readonly span: Line[number]; readonly theme: Theme }): ReactElement {
  return <Text {...(span.style === undefined ? {} : theme[span.style])}>{span.text}</Text>;
}

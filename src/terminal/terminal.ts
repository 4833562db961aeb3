import pc from "picocolors";

export type Colours = ReturnType<typeof pc.createColors>;

/** Back to the start of the line, and everything on it erased. Only where `isLive`. */
export const CLEAR_LINE = "\r\u001b[2K";

/** Where a command writes for people. Tests pass their own. */
export interface Terminal {
  write(text: string): void;
  /** Columns that a line may take. Read it for every line, because windows are resized. */
  readonly columns: number;
  readonly colours: Colours;
  /** The cursor can be moved back, so a countdown can be redrawn in place. */
  readonly isLive: boolean;
}

interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const USUAL_COLUMNS = 80;
const FEWEST_COLUMNS = 20;
/** Longer lines are tiring to read, even in a wide window. */
const MOST_COLUMNS = 80;

export function openTerminal(stream: OutputStream, env: Environment): Terminal {
  const isTty = stream.isTTY === true && env.TERM !== "dumb";
  const hasColours = !isSet(env.NO_COLOR) && (isTty || (isSet(env.FORCE_COLOR) && env.FORCE_COLOR !== "0"));
  return {
    write: (text) => void stream.write(text),
    get columns() {
      const columns = stream.columns ?? Number(env.COLUMNS);
      const usable = Number.isInteger(columns) && columns > 0 ? columns : USUAL_COLUMNS;
      return Math.min(MOST_COLUMNS, Math.max(FEWEST_COLUMNS, usable));
    },
    colours: pc.createColors(hasColours),
    // NO_COLOR rules out other escape codes too.
    isLive: isTty && !isSet(env.NO_COLOR),
  };
}

/** As defined by no-color.org: present and not empty. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

import pc from "picocolors";

export type Colours = ReturnType<typeof pc.createColors>;

/** Where a command writes for people. Tests bring their own. */
export interface Terminal {
  write(text: string): void;
  /** Columns that a line may take. Asked for every line, because windows are resized. */
  readonly columns: number;
  readonly colours: Colours;
  /** The cursor can be moved back, so that a countdown may tick in place. */
  readonly isLive: boolean;
}

export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

type Environment = Readonly<Record<string, string | undefined>>;

const USUAL_COLUMNS = 80;
const FEWEST_COLUMNS = 20;
/** Longer lines are tiring to read, however wide the window is. */
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
    // Who wants no colour codes wants no other codes either.
    isLive: isTty && !isSet(env.NO_COLOR),
  };
}

/** As no-color.org has it: present and not empty. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

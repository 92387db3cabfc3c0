const LEVELS: Record<string, number> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
  silent: Infinity,
};
const WINDOW_MS = 10_000;
const LINES_PER_WINDOW = 10;

/** Writes a line to the console: the service, the level, and the text. */
export type Show = (service: string, level: string, text: string) => void;

export interface ConsoleLogOptions {
  service: string;
  /** Records below this level are only in the log file. */
  level: string;
  logFile: string;
  show: Show;
}

/**
 * Selects the lines of one service's log for the console: records from `level` on, and the plain text of a crash. The number of
 * lines is limited, so that a failing service does not hide other services' lines.
 */
export function createConsoleLog({ service, level, logFile, show }: ConsoleLogOptions): (line: string) => void {
  const threshold = LEVELS[level] as number;
  let windowEndsAt = 0;
  let shown = 0;
  return (line) => {
    if (levelOf(line) < threshold) return;
    const record = parseRecord(line);
    if (record.level < threshold) return;
    if (Date.now() > windowEndsAt) {
      windowEndsAt = Date.now() + WINDOW_MS;
      shown = 0;
    }
    shown += 1;
    if (shown <= LINES_PER_WINDOW) show(service, nameOf(record.level), record.text);
    if (shown === LINES_PER_WINDOW) show(service, '...', `more of this is in ${logFile}`);
  };
}

/** A service writes the level first: most lines need not be parsed. */
function levelOf(line: string): number {
  const [, level] = /^\{"level":(\d+)/.exec(line) ?? [];
  return level === undefined ? Infinity : Number(level);
}

interface LogRecord {
  level: number;
  text: string;
}

/** Plain text is Node's output of a crash: an error. */
function parseRecord(line: string): LogRecord {
  try {
    const { level, msg, err } = JSON.parse(line) as { level: number; msg: string; err?: { message: string } };
    return { level, text: err ? `${msg}: ${firstLine(err.message)}` : msg };
  } catch {
    return { level: LEVELS['error'] as number, text: line };
  }
}

function nameOf(level: number): string {
  return Object.keys(LEVELS).find((name) => LEVELS[name] === level) ?? String(level);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] as string;
}

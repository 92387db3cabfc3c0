import { setTimeout } from 'node:timers/promises';

const WARN = 40;
const MAX_SHOWN = 40;
const READING_MS = 500;

interface LogLine {
  level: number;
  msg: string;
  method?: string;
  requestId?: string;
  err?: { message: string };
}

/** Warnings and errors in the logs of services of several versions, with their version. */
export class Complaints {
  #lines: string[] = [];

  /** Takes a line of the log of `who`. */
  hear(who: string, line: string): void {
    const text = complaintIn(line);
    if (text !== undefined) this.#lines.push(`${who}: ${text}`);
  }

  /** Runs the work; adds the services' warnings to its error. */
  async explain<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#lines.length;
    try {
      return await work();
    } catch (error) {
      // Logs arrive a moment after answers.
      await setTimeout(READING_MS);
      const lines = this.#lines.slice(before).slice(-MAX_SHOWN);
      const services = lines.length > 0 ? lines.join('\n  ') : 'nothing';
      throw new Error(`${(error as Error).message}\nMeanwhile the services said:\n  ${services}`, { cause: error });
    }
  }
}

/** Undefined for irrelevant lines. Plain text is Node's output of a crash. */
function complaintIn(line: string): string | undefined {
  try {
    const { level, msg, method, requestId, err } = JSON.parse(line) as LogLine;
    if (level < WARN) return undefined;
    const where = [method, requestId && `request ${requestId}`].filter(Boolean).join(', ');
    return `${msg}${where && ` (${where})`}${err ? `: ${err.message}` : ''}`;
  } catch {
    return line;
  }
}

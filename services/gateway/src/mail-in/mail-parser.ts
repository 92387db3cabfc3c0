import { Worker } from 'node:worker_threads';
import { type ParseAnswer, type ParsedMail, type ParseJob, PROGRAM } from './parse-program';

/** The bounds of what is read of a mail. */
export const PARSE_LIMITS: ParseJob['limits'] = {
  headBytes: 256 * 1024,
  parts: 200,
  textLength: 200_000,
  htmlLength: 200_000,
  attachments: 20,
};

/** A mail that takes longer to parse is refused. */
const TIMEOUT_MS = 15_000;
/** The parser's libraries take 20 MB: its thread ends when no mail has come for a minute. */
const IDLE_MS = 60_000;
const MEMORY_MB = 256;

/** A mail that cannot be parsed, now or ever. */
export class UnreadableMailError extends Error {}

interface Question {
  job: ParseJob;
  resolve(mail: ParsedMail): void;
  reject(error: Error): void;
}

/** Parses one mail after the other in a separate thread. */
export class MailParser {
  readonly #waiting: Question[] = [];
  #worker: Worker | undefined;
  /** The mail that is being parsed. */
  #current: { question: Question; timer: NodeJS.Timeout } | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly timeoutMs = TIMEOUT_MS) {}

  /** Throws UnreadableMailError. The chunks are handed over: they are empty afterwards. */
  parse(chunks: readonly Uint8Array[], wantsHtml: boolean): Promise<ParsedMail> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ job: { chunks, wantsHtml, limits: PARSE_LIMITS }, resolve, reject });
      this.#next();
    });
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #next(): void {
    if (this.#current !== undefined) return;
    clearTimeout(this.#idle);
    const question = this.#waiting.shift();
    if (question === undefined) {
      this.#worker?.unref();
      this.#idle = setTimeout(() => void this.close(), IDLE_MS).unref();
      return;
    }
    const timer = setTimeout(() => this.#giveUp('it takes too long to parse'), this.timeoutMs);
    this.#current = { question, timer };
    this.#worker ??= this.#start();
    this.#worker.ref();
    const buffers = new Set(question.job.chunks.map(({ buffer }) => buffer as ArrayBuffer));
    this.#worker.postMessage(question.job, [...buffers]);
  }

  #start(): Worker {
    const worker = new Worker(PROGRAM, {
      eval: true,
      execArgv: [],
      workerData: __filename,
      resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
    });
    // A thread that was given up may still have something to say.
    const isCurrent = () => this.#worker === worker;
    const lost = (failure: string) => isCurrent() && this.#giveUp(failure);
    worker.on('message', (answer: ParseAnswer) => isCurrent() && this.#settle(answer));
    worker.on('error', ({ message }: Error) => lost(message));
    worker.on('exit', () => lost('its parser has ended'));
    return worker;
  }

  /** The next mail gets a new thread. */
  #giveUp(failure: string): void {
    void this.close();
    this.#settle({ failure });
  }

  #settle(answer: ParseAnswer): void {
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    clearTimeout(current.timer);
    if ('mail' in answer) current.question.resolve(answer.mail);
    else current.question.reject(new UnreadableMailError(answer.failure));
    this.#next();
  }
}

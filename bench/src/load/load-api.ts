import { Client, type Dispatcher, Pool } from 'undici';
import type { Figures, Operation } from './figures';

export interface LoadAccount {
  email: string;
  apiKey: string;
  /** Present: others can send direct messages to this account. */
  userId?: number | undefined;
}

export type Form = Readonly<Record<string, string>>;

export interface LoadEvent {
  id: number;
  type: string;
  message?: { content: string };
}

/** The events in the answer to a poll. */
export function eventsIn(answer: Buffer): readonly LoadEvent[] {
  return (JSON.parse(answer.toString()) as { events: LoadEvent[] }).events;
}

/** The part of the answer to POST /register that a user needs. */
export function stateIn(answer: Buffer): { queueId: string; lastEventId: number; channelIds: number[] } {
  const state = JSON.parse(answer.toString()) as {
    queue_id: string;
    last_event_id: number;
    subscriptions: { stream_id: number }[];
  };
  return {
    queueId: state.queue_id,
    lastEventId: state.last_event_id,
    channelIds: state.subscriptions.map(({ stream_id: id }) => id),
  };
}

/** Timeout of a request. */
const TIMEOUT_MS = 10_000;
/** Like browsers, which keep connections for the next request. */
const KEEP_ALIVE_MS = 60_000;
/** Longer than any poll waits for its heartbeat. */
const POLL_TIMEOUT_MS = 120_000;

export interface LoadApiOptions {
  base: URL;
  /** The organization's name in requests. */
  host: string;
  figures: Figures;
}

/**
 * The public API for many users. Each request is timed until its whole answer has arrived; a failed one is counted as an error
 * and resolves with null. Answers are bytes: parsing those that no user needs would take CPU time from the deployment on the same
 * machine.
 */
export class LoadApi {
  readonly #pool: Pool;

  constructor(private readonly options: LoadApiOptions) {
    const timeouts = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS, keepAliveTimeout: KEEP_ALIVE_MS };
    this.#pool = new Pool(options.base.origin, timeouts);
  }

  callerFor(account: LoadAccount): LoadCaller {
    return new LoadCaller(this.options, this.#pool, account);
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/** One user's requests. Polls have a separate connection, as in a browser; all others share a pool. */
export class LoadCaller {
  readonly #headers: Record<string, string>;
  readonly #formHeaders: Record<string, string>;
  readonly #polls: Client;

  constructor(
    private readonly options: LoadApiOptions,
    private readonly pool: Pool,
    { email, apiKey }: LoadAccount,
  ) {
    this.#headers = {
      host: options.host,
      authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
      'user-agent': 'ParleyLoad/1.0',
    };
    this.#formHeaders = { ...this.#headers, 'content-type': 'application/x-www-form-urlencoded' };
    const { origin } = options.base;
    this.#polls = new Client(origin, { headersTimeout: POLL_TIMEOUT_MS, bodyTimeout: POLL_TIMEOUT_MS });
  }

  get(operation: Operation, path: string, query: Form): Promise<Buffer | null> {
    return this.#ask(this.pool, operation, {
      method: 'GET',
      path: `/api/v1/${path}?${new URLSearchParams(query)}`,
      headers: this.#headers,
    });
  }

  poll(queueId: string, lastEventId: number): Promise<Buffer | null> {
    const path = `/api/v1/events?queue_id=${queueId}&last_event_id=${lastEventId}`;
    return this.#ask(this.#polls, 'poll', { method: 'GET', path, headers: this.#headers });
  }

  post(operation: Operation, path: string, form: Form): Promise<Buffer | null> {
    return this.#ask(this.pool, operation, {
      method: 'POST',
      path: `/api/v1/${path}`,
      headers: this.#formHeaders,
      body: new URLSearchParams(form).toString(),
    });
  }

  close(): Promise<void> {
    return this.#polls.destroy();
  }

  #ask(through: Dispatcher, operation: Operation, request: Dispatcher.DispatchOptions): Promise<Buffer | null> {
    const { figures } = this.options;
    const begunAtMs = performance.now();
    return new Promise((resolve) => {
      const take = (statusCode: number, body: Buffer) => {
        if (statusCode === 200) figures.note(operation, performance.now() - begunAtMs);
        else figures.noteError(operation, `${statusCode} ${codeIn(body)}`.trim());
        resolve(statusCode === 200 ? body : null);
      };
      const fail = ({ code, name }: Error & { code?: string }) => {
        figures.noteError(operation, code ?? name);
        resolve(null);
      };
      through.dispatch(request, new Receiver(take, fail));
    });
  }
}

/** The message of an error's answer. */
function codeIn(body: Buffer): string {
  try {
    return String((JSON.parse(body.toString()) as { code?: string }).code ?? '');
  } catch {
    return '';
  }
}

/** One answer; cheaper than the streams of undici's request(). NOTE: the newer methods of a handler parse all headers. */
class Receiver implements Dispatcher.DispatchHandler {
  #statusCode = 0;
  readonly #chunks: Buffer[] = [];

  constructor(
    private readonly take: (statusCode: number, body: Buffer) => void,
    private readonly fail: (error: Error) => void,
  ) {}

  onConnect(): void {}

  onHeaders(statusCode: number): boolean {
    this.#statusCode = statusCode;
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.#chunks.push(chunk);
    return true;
  }

  onComplete(): void {
    const [first] = this.#chunks;
    this.take(this.#statusCode, this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks));
  }

  onError(error: Error): void {
    this.fail(error);
  }
}

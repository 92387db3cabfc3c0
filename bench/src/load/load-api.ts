import { Client, type Dispatcher, Pool } from 'undici';
import type { Figures, Operation } from './figures';

export interface LoadAccount {
  email: string;
  apiKey: string;
  /** Present: others can send direct messages to this account. */
  userId?: number | undefined;
}

export type Form = Readonly<Record<string, string>>;
export type Json = Record<string, unknown>;

/** The longest that a user waits. */
const TIMEOUT_MS = 10_000;
/** Longer than any poll waits for its heartbeat. */
const POLL_TIMEOUT_MS = 120_000;

export interface LoadApiOptions {
  base: URL;
  /** The organization's name in requests. */
  host: string;
  figures: Figures;
}

/** The public API for many users. Each request is timed; one that fails is counted as an error and resolves with null. */
export class LoadApi {
  readonly #pool: Pool;

  constructor(private readonly options: LoadApiOptions) {
    this.#pool = new Pool(options.base.origin, { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  }

  callerFor(account: LoadAccount): LoadCaller {
    return new LoadCaller(this.options, this.#pool, account);
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/** One user's requests. Polls have a connection of their own, as in a browser; all others share a pool. */
export class LoadCaller {
  readonly #headers: Record<string, string>;
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
    const { origin } = options.base;
    this.#polls = new Client(origin, { headersTimeout: POLL_TIMEOUT_MS, bodyTimeout: POLL_TIMEOUT_MS });
  }

  get(operation: Operation, path: string, query: Form): Promise<Json | null> {
    return this.#ask(this.pool, operation, { method: 'GET', path: `/api/v1/${path}?${new URLSearchParams(query)}` });
  }

  poll(query: Form): Promise<Json | null> {
    return this.#ask(this.#polls, 'poll', { method: 'GET', path: `/api/v1/events?${new URLSearchParams(query)}` });
  }

  post(operation: Operation, path: string, form: Form): Promise<Json | null> {
    return this.#ask(this.pool, operation, {
      method: 'POST',
      path: `/api/v1/${path}`,
      body: new URLSearchParams(form).toString(),
    });
  }

  close(): Promise<void> {
    return this.#polls.destroy();
  }

  async #ask(through: Dispatcher, operation: Operation, request: LoadRequest): Promise<Json | null> {
    const { figures } = this.options;
    const begunAtMs = performance.now();
    const type = request.body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' };
    try {
      const { statusCode, body } = await through.request({ ...request, headers: { ...this.#headers, ...type } });
      const answer = JSON.parse(await body.text()) as Json;
      if (statusCode === 200) figures.note(operation, performance.now() - begunAtMs);
      else figures.noteError(operation, `${statusCode} ${answer['code'] ?? ''}`.trim());
      return statusCode === 200 ? answer : null;
    } catch (error) {
      const { code, name } = error as Error & { code?: string };
      figures.noteError(operation, code ?? name);
      return null;
    }
  }
}

interface LoadRequest {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
}

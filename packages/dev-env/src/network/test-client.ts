import {
  type EncodedRequest,
  type Endpoint,
  encodeRequest,
  type InputOf,
  type ResultOf,
} from '@parley/gateway/endpoints';
import { type EventQueue, openEventQueue, type QueueOptions } from './event-queue';
import type { HttpClient, HttpResponse } from './http-client';

export interface Account {
  realmId: number;
  userId: number;
  email: string;
  apiKey: string;
}

/** A raw request; absent fields have their usual values. */
export interface RawRequest {
  method: string;
  /** Below the root, e.g. /api/v1/messages?anchor=newest */
  path: string;
  /** Sent urlencoded, in the body. */
  form?: Record<string, string>;
  body?: string | Buffer;
  /** `null` omits a header that would be sent by default. */
  headers?: Record<string, string | null>;
}

/** An answer, as far as it could be read. */
export interface RawAnswer extends HttpResponse {
  json: Record<string, unknown>;
}

type AnyEndpoint = Pick<Endpoint, 'method' | 'path' | 'result'>;

/** A user of the API, typed by the gateway's declarations of the endpoints. */
export interface TestClient extends Account {
  /** Calls an endpoint as real clients do; throws unless it returns its declared result. */
  call<E extends AnyEndpoint>(endpoint: E, input: InputOf<E>): Promise<ResultOf<E>>;
  /** Calls an endpoint that must refuse with this code; resolves with the error's members. */
  expectError<E extends AnyEndpoint>(code: string, endpoint: E, input: InputOf<E>): Promise<Record<string, unknown>>;
  /** Sends any request with the user's credentials; resolves with any answer. */
  callRaw(request: RawRequest): Promise<RawAnswer>;
  /** Registers a queue, once all earlier changes were delivered, and follows it: it gets only what happens from now on. */
  events(options?: QueueOptions): Promise<EventQueue>;
}

const API = '/api/v1';

/** A user who calls `host`, whose address is reached by `http`. `settle` resolves when all earlier changes were delivered. */
export function createTestClient(
  account: Account,
  host: string,
  http: HttpClient,
  settle: () => Promise<void> = async () => {},
): TestClient {
  const callRaw = rawCalls(account, host, http);

  async function ask<E extends AnyEndpoint>(endpoint: E, input: InputOf<E>): Promise<RawAnswer> {
    return callRaw(toRawRequest(encodeRequest(endpoint as never, input as never)));
  }

  const client: TestClient = {
    ...account,
    callRaw,
    async call(endpoint, input) {
      const answer = await ask(endpoint, input);
      if (answer.status !== 200 || answer.json['result'] !== 'success') throw unexpected(endpoint, answer);
      return endpoint.result.parse(membersOf(answer)) as never;
    },
    async expectError(code, endpoint, input) {
      const answer = await ask(endpoint, input);
      if (answer.json['result'] !== 'error' || answer.json['code'] !== code) throw unexpected(endpoint, answer);
      return answer.json;
    },
    async events(options) {
      await settle();
      return openEventQueue(client, options);
    },
  };
  return client;
}

/** Sends any request to `host` with the account's key. */
function rawCalls({ email, apiKey }: Account, host: string, http: HttpClient): TestClient['callRaw'] {
  const usual = {
    host,
    authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
    'user-agent': 'ParleyTest/1.0',
  };
  return async ({ method, path, form, body, headers = {} }) => {
    const type = form ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
    const merged = Object.entries({ ...usual, ...type, ...headers }).filter(([, value]) => value !== null);
    const response = await http.send({
      method,
      path,
      headers: Object.fromEntries(merged) as Record<string, string>,
      body: form ? new URLSearchParams(form).toString() : body,
    });
    return { ...response, json: parseObject(response.text) };
  };
}

/** As clients of this API send it: in the query for methods without a body, otherwise urlencoded in the body. */
export function toRawRequest({ method, path, form }: EncodedRequest): RawRequest {
  const hasNoBody = method === 'GET' || method === 'DELETE';
  const query = hasNoBody && form.size > 0 ? `?${form}` : '';
  return { method, path: `${API}${path}${query}`, ...(hasNoBody ? {} : { form: Object.fromEntries(form) }) };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}

/** An endpoint declares what its answer has beside the members that every answer has. */
function membersOf({ json }: RawAnswer): Record<string, unknown> {
  const { result: _, msg: __, ignored_parameters_unsupported: ___, ...members } = json;
  return members;
}

function unexpected({ method, path }: AnyEndpoint, { status, text }: RawAnswer): Error {
  return new Error(`${method} ${path} answered ${status}: ${text}`);
}

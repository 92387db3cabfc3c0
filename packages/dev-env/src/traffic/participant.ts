import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { eg } from '../cast/eg';
import { createHttpClient, type HttpClient, type HttpRequest } from '../network/http-client';
import { EXTERNAL_HOST } from '../network/plan';
import { createTestClient, type TestClient } from '../network/test-client';
import type { Traffic } from './traffic';

/** The pause before a request without an answer is repeated, as in clients. */
const RETRY_MS = 50;
/** Longer than any poll waits. */
const TIMEOUT_MS = 100_000;

interface BalancedClient extends HttpClient {
  /** Sends its next request to its initial replica. */
  useFirstReplica(): void;
}

/** A client that continues with another replica of the gateway if its own is unreachable, as behind a load balancer. */
function throughAnyOf(addresses: readonly string[], first: number): BalancedClient {
  const clients = addresses.map(createHttpClient);
  let turn = first;
  return {
    async send(request) {
      try {
        return await sendInTime(clients[turn % clients.length] as HttpClient, request);
      } catch (error) {
        turn += 1;
        throw error;
      }
    },
    useFirstReplica() {
      turn = first;
    },
    close() {
      for (const client of clients) client.close();
    },
  };
}

async function sendInTime(client: HttpClient, request: HttpRequest): ReturnType<HttpClient['send']> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), TIMEOUT_MS);
  });
  return Promise.race([client.send(request), late]).finally(() => clearTimeout(timer));
}

export type Form = Record<string, string>;
export type Json = Record<string, unknown>;

/** Throws, with the answer, unless it is a success. */
export function assertAccepted(answer: Json): void {
  assert.equal(answer['result'], 'success', JSON.stringify(answer));
}

/** An account that takes part; repeats each request until it is answered. */
export abstract class Participant {
  readonly #http: BalancedClient;
  readonly #client: TestClient;

  constructor(
    protected readonly traffic: Traffic,
    readonly account: TestClient,
    first: number,
  ) {
    this.#http = throughAnyOf(traffic.addresses, first);
    this.#client = createTestClient(account, `${eg.home.subdomain}.${EXTERNAL_HOST}`, this.#http);
  }

  /** Replicas that were unreachable get load again. */
  useFirstReplica(): void {
    this.#http.useFirstReplica();
  }

  close(): void {
    this.#http.close();
  }

  /** Repeats the request until the answer is not "not ready"; null if the traffic ends first. */
  protected async ask(method: string, path: string, form: Form, key?: string): Promise<Json | null> {
    const isPost = method === 'POST';
    const request = {
      method,
      path: `/api/v1/${path}${isPost ? '' : `?${new URLSearchParams(form)}`}`,
      ...(isPost && { form }),
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    };
    while (!this.traffic.isOver) {
      const answer = await this.#client.callRaw(request).catch(() => null);
      if (answer && answer.status < 500) return answer.json;
      await sleep(RETRY_MS);
    }
    return null;
  }
}

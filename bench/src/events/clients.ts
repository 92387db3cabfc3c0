import path from 'node:path';
import { type ChildServer, startChild } from '../base/child';
import type { Quantiles } from '../base/measure';
import type { PollingClient } from './poller';

export type ClientOrder = { connect: readonly PollingClient[]; address: string } | { expected: number };

export interface ClientAnswer {
  /** Messages in all answers to all clients so far. */
  received: number;
  /** Since the last report: number of answers with messages. */
  answers: number;
  /** Since the last report: from the start of a send until a client has the message, if its text has that time. */
  delays: Quantiles;
  /** By the machine's monotonic clock, which all processes share. */
  atMs: number;
}

/** Clients with pending polls, in a separate process. */
export class Clients {
  count = 0;
  /** Messages that they should have received so far. */
  #expected = 0;

  private constructor(
    private readonly process: ChildServer,
    private readonly address: string,
  ) {}

  /** `address` is the gateway's. */
  static async start(address: string): Promise<Clients> {
    return new Clients(await startChild(path.join(__dirname, 'client-process.js'), []), address);
  }

  /** Resolves when all of them have sent their polls. */
  async connect(clients: readonly PollingClient[]): Promise<void> {
    this.count += clients.length;
    await this.process.ask({ connect: clients, address: this.address } satisfies ClientOrder);
  }

  /** Resolves when this many more messages have arrived, with the time of the last one. To be called before they are sent. */
  async untilReceived(messages: number): Promise<number> {
    return (await this.received(messages)).atMs;
  }

  /** The same with all figures about these messages. */
  async received(messages: number): Promise<ClientAnswer> {
    this.#expected += messages;
    const answer = await this.process.ask<ClientAnswer>({ expected: this.#expected } satisfies ClientOrder);
    if (answer.received !== this.#expected)
      throw new Error(`clients got ${answer.received} messages instead of ${this.#expected}`);
    return answer;
  }

  stop(): Promise<void> {
    return this.process.stop();
  }
}

/** In a message's text: the start of its send. */
export const SENT_AT = /sent at ([0-9.]+)/g;

/** Now, on the clock of `atMs`. */
export function monotonicNowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

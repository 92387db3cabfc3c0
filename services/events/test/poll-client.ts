import { decodeError } from '@parley/shared/errors';
import type { PollReply, PollRequest } from '@parley/shared/proto';
import type { RpcConnection, RpcStream } from '@parley/shared/rpc';

/** A public event, as clients get it. */
export type PublicEvent = { id: number; type: string; flags?: string[] } & Record<string, unknown> & {
    message: { id: number; content: string; subject: string };
  };

type Question = Pick<PollRequest, 'userId' | 'queueId'> & Partial<PollRequest>;

interface Waiting {
  resolve: (events: PublicEvent[]) => void;
  reject: (error: unknown) => void;
}

/** A gateway's end of the polls' common stream. */
export class PollClient {
  readonly #waiting = new Map<number, Waiting>();
  readonly #stream: RpcStream<PollRequest, PollReply>;
  #lastPollId = 0;

  constructor({ raw }: RpcConnection<'events'>) {
    this.#stream = (raw['poll'] as () => RpcStream<PollRequest, PollReply>).call(raw);
    this.#stream.on('data', (reply: PollReply) => this.#take(reply));
    this.#stream.on('error', () => {});
    this.#stream.on('close', () => this.#end());
    this.#stream.on('end', () => this.#end());
  }

  poll(question: Question): Promise<PublicEvent[]> & { pollId: number } {
    this.#lastPollId += 1;
    const pollId = this.#lastPollId;
    const events = new Promise<PublicEvent[]>((resolve, reject) => this.#waiting.set(pollId, { resolve, reject }));
    // Tests that end a pod leave polls behind.
    events.catch(() => {});
    this.#write({ ...question, pollId });
    return Object.assign(events, { pollId });
  }

  withdraw(pollId: number): void {
    this.#write({ pollId, isWithdrawn: true, userId: 0, queueId: '' });
  }

  hangUp(): void {
    this.#stream.end();
  }

  #write(question: Question & { pollId: number }): void {
    const defaults = { isWithdrawn: false, realmId: 1, lastEventId: -1, dontBlock: false, requestId: 'test' };
    this.#stream.write({ ...defaults, ...question });
  }

  #take({ pollId, eventsJson, error }: PollReply): void {
    const waiting = this.#waiting.get(pollId);
    this.#waiting.delete(pollId);
    if (error.length > 0) waiting?.reject(decodeError(error));
    else waiting?.resolve(JSON.parse(eventsJson.toString()));
  }

  #end(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('the stream ended'));
    this.#waiting.clear();
  }
}

import { decodeError } from '@parley/shared/errors';
import type { PollRequest, SharedPollReply } from '@parley/shared/proto';
import { openStream, type RpcConnection } from '@parley/shared/rpc';

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
  /** The replies in each message. */
  readonly frames: SharedPollReply[][] = [];
  readonly #waiting = new Map<number, Waiting>();
  readonly #stream: PollStream;
  #lastPollId = 0;

  constructor(connection: RpcConnection<'events'>, isOfEarlierVersion = false) {
    const onReplies = (replies: SharedPollReply[]) => {
      this.frames.push(replies);
      for (const reply of replies) this.#take(reply);
    };
    const open = isOfEarlierVersion ? openSingly : openTogether;
    this.#stream = open(connection, onReplies, () => this.#end());
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
    this.#stream.hangUp();
  }

  #write(question: Question & { pollId: number }): void {
    const defaults = { isWithdrawn: false, realmId: 1, lastEventId: -1, dontBlock: false, requestId: 'test' };
    this.#stream.send({ ...defaults, ...question });
  }

  #take({ pollIds, eventsJson, error }: SharedPollReply): void {
    for (const pollId of pollIds) {
      const waiting = this.#waiting.get(pollId);
      this.#waiting.delete(pollId);
      if (error.length > 0) waiting?.reject(decodeError(error));
      else waiting?.resolve(JSON.parse(eventsJson.toString()));
    }
  }

  #end(): void {
    for (const { reject } of this.#waiting.values()) reject(new Error('the stream ended'));
    this.#waiting.clear();
  }
}

interface PollStream {
  send(request: PollRequest): void;
  hangUp(): void;
}

type OpenStream = (
  connection: RpcConnection<'events'>,
  onReplies: (replies: SharedPollReply[]) => void,
  onEnd: () => void,
) => PollStream;

const openTogether: OpenStream = (connection, onReplies, onEnd) => {
  const stream = openStream(connection, 'pollTogether');
  stream.on('data', ({ replies }) => onReplies(replies));
  stream.on('error', () => {});
  for (const event of ['close', 'end']) stream.on(event, onEnd);
  return { send: (request) => void stream.write({ requests: [request] }), hangUp: () => void stream.end() };
};

const openSingly: OpenStream = (connection, onReplies, onEnd) => {
  const stream = openStream(connection, 'poll');
  stream.on('data', ({ pollId, eventsJson, error }) => onReplies([{ pollIds: [pollId], eventsJson, error }]));
  stream.on('error', () => {});
  for (const event of ['close', 'end']) stream.on(event, onEnd);
  return { send: (request) => void stream.write(request), hangUp: () => void stream.end() };
};

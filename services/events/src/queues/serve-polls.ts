import type { PollReply, PollRequest, SharedPollReply } from '@parley/shared/proto';
import type { Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { getEvents } from './get-events';
import { PendingPoll } from './pending-poll';

type CallOf<Method extends 'poll' | 'pollTogether'> = Parameters<Implementation<'events'>[Method]>[0];

/** Serves the polls of one gateway, until it hangs up or this pod stops. */
export function pollTogether(ctx: Context, call: CallOf<'pollTogether'>): void {
  const replies = new ReplyFrames((frame) => void call.write({ replies: frame }));
  const polls = servePolls(ctx, call, {
    write: (reply) => replies.add(reply),
    end() {
      replies.flush();
      call.end();
    },
  });
  call.on('data', ({ requests }) => {
    for (const request of requests) polls.take(request);
  });
}

/** The same for a gateway of the version before. */
export function poll(ctx: Context, call: CallOf<'poll'>): void {
  const polls = servePolls(ctx, call, { write: (reply) => void call.write(reply), end: () => void call.end() });
  call.on('data', (request) => polls.take(request));
}

interface Replies {
  write(reply: PollReply): void;
  /** Nothing is written any more. */
  end(): void;
}

interface PollsOfGateway {
  take(request: PollRequest): void;
}

function servePolls(ctx: Context, call: CallOf<'pollTogether'> | CallOf<'poll'>, replies: Replies): PollsOfGateway {
  const polls = new Map<number, PendingPoll>();
  const sink = { write: replies.write, forget: (pollId: number) => void polls.delete(pollId) };
  let isEnded = false;

  /** Unanswered polls end without a reply: the gateway asks another pod, with the same cursors. */
  function end(): void {
    if (isEnded) return;
    isEnded = true;
    for (const pending of polls.values()) pending.end();
    ctx.stopping.removeEventListener('abort', end);
    replies.end();
  }

  for (const event of ['end', 'cancelled', 'error', 'close']) call.on(event, end);
  ctx.stopping.addEventListener('abort', end);
  if (ctx.stopping.aborted) end();
  return {
    take(request) {
      if (isEnded) return;
      polls.get(request.pollId)?.end();
      if (request.isWithdrawn) return;
      const pending = new PendingPoll(request.pollId, sink);
      polls.set(request.pollId, pending);
      void getEvents(ctx, pending, request);
    },
  };
}

/** A frame with more is sent at once: a long one would delay the polls behind it. */
const MAX_FRAME_BYTES = 256 * 1024;

/** Sends the replies of one turn of the event loop together, and the same answer to many polls once. */
class ReplyFrames {
  #replies: SharedPollReply[] = [];
  /** The replies with events, by their bytes. */
  readonly #byEvents = new Map<Buffer, SharedPollReply>();
  #byteLength = 0;
  #isScheduled = false;

  constructor(private readonly send: (replies: SharedPollReply[]) => void) {}

  add({ pollId, eventsJson, error }: PollReply): void {
    const same = this.#byEvents.get(eventsJson);
    if (same) same.pollIds.push(pollId);
    else {
      const reply = { pollIds: [pollId], eventsJson, error };
      this.#replies.push(reply);
      if (error.length === 0) this.#byEvents.set(eventsJson, reply);
      this.#byteLength += eventsJson.length + error.length;
    }
    if (this.#byteLength > MAX_FRAME_BYTES) this.flush();
    else if (!this.#isScheduled) this.#schedule();
  }

  flush(): void {
    if (this.#replies.length === 0) return;
    this.send(this.#replies);
    this.#replies = [];
    this.#byEvents.clear();
    this.#byteLength = 0;
  }

  #schedule(): void {
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.flush();
    });
  }
}

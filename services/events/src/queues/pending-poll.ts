import { encodeError, type PublicError } from '@parley/shared/errors';
import type { PollReply } from '@parley/shared/proto';
import type { Context } from '../context';
import { heartbeatId } from '../log/event-id';
import type { Queue } from './queue';

const NOTHING = Buffer.alloc(0);

/** The way back to the gateway of a poll. */
export interface ReplySink {
  /** Ends the poll with this id. */
  write(reply: PollReply): void;
  forget(pollId: number): void;
}

/** A client's poll, from its arrival until its reply, or until the client hangs up. There are thousands, so it is small. */
export class PendingPoll {
  isOver = false;
  queue: Queue | undefined;
  /** The position up to which the client has got its events. */
  cursor = -1;
  /** Set while parked. */
  unpark: (() => void) | undefined;

  constructor(
    private readonly pollId: number,
    private readonly sink: ReplySink,
  ) {}

  answer(eventsJson: Buffer): void {
    if (this.end()) this.sink.write({ pollId: this.pollId, eventsJson, error: NOTHING });
  }

  refuse(error: PublicError): void {
    if (this.end()) this.sink.write({ pollId: this.pollId, eventsJson: NOTHING, error: encodeError(error) });
  }

  /** Removes all references to the poll. False if it had ended before. */
  end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.unpark?.();
    if (this.queue?.poll === this) this.queue.poll = undefined;
    this.sink.forget(this.pollId);
    return true;
  }
}

const HEARTBEAT_AFTER_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 10_000;
/** Pauses are rounded, so that thousands of polls share timers. */
const HEARTBEAT_STEP_MS = 100;

/** Lets a poll wait for the next event of its queue; a heartbeat ends it when none comes. */
export function park(ctx: Context, poll: PendingPoll, queue: Queue): void {
  const { realmId } = queue.descriptor;
  const parked = ctx.fanOut.parkedIn(realmId);
  const steps = Math.floor((ctx.random() * HEARTBEAT_SPREAD_MS) / HEARTBEAT_STEP_MS);
  const cancel = ctx.clock.after(HEARTBEAT_AFTER_MS + steps * HEARTBEAT_STEP_MS, () => {
    const id = heartbeatId(ctx.fanOut.deliveredSeq(realmId), poll.cursor);
    poll.answer(Buffer.from(JSON.stringify([{ type: 'heartbeat', id }])));
  });
  parked.add(poll, queue);
  ctx.counters.parkedPolls += 1;
  poll.unpark = () => {
    cancel();
    parked.remove(poll, queue);
    ctx.counters.parkedPolls -= 1;
  };
  // A queue does not expire while a poll waits on it: its life counts from the latest end of this poll.
  ctx.queues.keepAlive(queue, ctx.clock.now() + HEARTBEAT_AFTER_MS + HEARTBEAT_SPREAD_MS);
}

import type { Context } from '../context';
import { heartbeatId } from '../log/event-id';
import type { HeldPoll } from './held-poll';
import type { Queue } from './queue';

const HEARTBEAT_AFTER_MS = 45_000;
const HEARTBEAT_SPREAD_MS = 10_000;
/** Pauses are rounded, so that thousands of them share timers. */
const HEARTBEAT_STEP_MS = 100;

/** Lets a poll wait for the next event of its queue; a heartbeat ends it when none comes. */
export function park(ctx: Context, poll: HeldPoll, queue: Queue): void {
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
  // A queue does not expire while a poll waits on it: its life counts from when this poll ends at the latest.
  ctx.queues.keepAlive(queue, ctx.clock.now() + HEARTBEAT_AFTER_MS + HEARTBEAT_SPREAD_MS);
}

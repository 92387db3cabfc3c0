import type { PollReply, PollRequest } from '@parley/shared/proto';
import type { Implementation } from '@parley/shared/rpc';
import type { Context } from '../context';
import { getEvents } from './get-events';
import { HeldPoll } from './held-poll';

type PollCall = Parameters<Implementation<'events'>['poll']>[0];

/** Serves the polls of one gateway, until it hangs up or this pod stops. */
export function poll(ctx: Context, call: PollCall): void {
  const polls = new Map<number, HeldPoll>();
  const sink = {
    write: (reply: PollReply) => void call.write(reply),
    forget: (pollId: number) => void polls.delete(pollId),
  };
  let isEnded = false;

  function take(request: PollRequest): void {
    if (isEnded) return;
    polls.get(request.pollId)?.end();
    if (request.isWithdrawn) return;
    const held = new HeldPoll(request.pollId, sink);
    polls.set(request.pollId, held);
    void getEvents(ctx, held, request);
  }

  /** Polls that have no reply yet end without one: the gateway asks another pod, with the same cursors. */
  function end(): void {
    if (isEnded) return;
    isEnded = true;
    for (const held of polls.values()) held.end();
    ctx.stopping.removeEventListener('abort', end);
    call.end();
  }

  call.on('data', take);
  for (const event of ['end', 'cancelled', 'error', 'close']) call.on(event, end);
  ctx.stopping.addEventListener('abort', end);
  if (ctx.stopping.aborted) end();
}

import type { Context } from '../context';
import { type ClaimedJob, postponeDueJobs, settleDueJob } from '../due-jobs';
import { beginWaiting } from './begin-waiting';
import { callWebhook } from './call-webhook';
import { type CalledBot, findCalledBot } from './called-bot';
import type { Conclusion, Delivery } from './delivery';
import { countCall, deleteEnded, findDelivery, lockBots, markDead, markDone, storeConclusion } from './delivery.sql';
import { GIVEN_UP, type Outcome } from './outcome';
import { retryDelayMs } from './retry-delay';
import { sayConclusion } from './say-conclusion';

const MAX_CALLS = 4;
/** Longer than the event of its message may be handled again. */
const TRACE_MS = 24 * 60 * 60_000;
/** So long the operator can have a failed delivery tried anew. */
const DEAD_MS = 30 * 24 * 60 * 60_000;

type Needed = Omit<Context, 'dueJobs'>;

const NOTHING: Conclusion = { reply: null, toOwner: null, failure: null };

/** Tells a bot of a message and says what it answers; its second time is that of forgetting it. */
export async function deliverCall(ctx: Needed, job: ClaimedJob): Promise<void> {
  const delivery = await findDelivery(ctx.db, job);
  if (delivery?.state !== 'under_way') return forget(ctx, job);
  const called = await findCalledBot(ctx, delivery);
  if (called === null) return end(ctx, job, delivery, NOTHING);
  const conclusion = delivery.conclusion ?? (await conclude(ctx, job, delivery, called));
  if (conclusion === null) return;
  await sayConclusion(ctx, { job, delivery, called }, conclusion);
  await end(ctx, job, delivery, conclusion);
}

/** Null when the bot is to be called again later. What is settled is stored before anything is said: nobody is asked twice for it. */
async function conclude(
  ctx: Needed,
  job: ClaimedJob,
  delivery: Delivery,
  called: CalledBot,
): Promise<Conclusion | null> {
  const calls = await countCall(ctx.db, delivery);
  // Calls that end neither well nor badly count too: it may be they that end replicas.
  const outcome = calls > MAX_CALLS ? GIVEN_UP : await callWebhook(ctx, delivery, called);
  if (outcome.kind === 'failure' && outcome.isPassing && calls < MAX_CALLS) {
    await postponeDueJobs(ctx.db, [job], ctx.clock.now() + retryDelayMs(calls));
    return null;
  }
  return storeConclusion(ctx.db, delivery, conclusionOf(outcome));
}

function conclusionOf(outcome: Outcome): Conclusion {
  if (outcome.kind === 'nothing') return NOTHING;
  if (outcome.kind === 'reply') return { ...NOTHING, reply: outcome.reply };
  const { said, toOwner, reason } = outcome;
  return {
    reply: { content: `Failure! ${said}` },
    toOwner,
    failure: reason,
  };
}

/** What the bot waits for to be told next begins. */
async function end({ db, clock }: Needed, job: ClaimedJob, delivery: Delivery, { failure }: Conclusion): Promise<void> {
  const nowMs = clock.now();
  await db.transaction(async (tx) => {
    await lockBots(tx, delivery.realmId, [delivery.botId]);
    const held = await postponeDueJobs(tx, [job], nowMs + (failure === null ? TRACE_MS : DEAD_MS));
    // Another replica has taken it over.
    if (held.length === 0) return;
    await (failure === null ? markDone : markDead)(tx, delivery, nowMs);
    await beginWaiting(tx, delivery, nowMs);
  });
}

async function forget({ db }: Needed, job: ClaimedJob): Promise<void> {
  await db.transaction(async (tx) => {
    await deleteEnded(tx, job);
    await settleDueJob(tx, job);
  });
}

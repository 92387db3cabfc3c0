import type { Sql } from '@parley/shared/db';
import { type ClaimedJob, type DueJobsDefinition, postponeDueJobs, settleDueJob } from '@parley/shared/jobs';
import { declareGauge, onScrape } from '@parley/shared/observability';
import { type BackOff, pauseMs } from '@parley/shared/values';
import type { Context } from '../context';
import { beginWaiting } from './call-bots';
import { type CalledBot, deliveryName, findCalledBot, JOB_KIND } from './delivery';
import {
  type Conclusion,
  countCall,
  countDeliveries,
  type Delivery,
  deleteEnded,
  findDelivery,
  lockBots,
  markDead,
  markDone,
  storeConclusion,
} from './delivery.sql';
import { GIVEN_UP, type Outcome, outcomeOfAnswer, outcomeOfError } from './outcome';
import { sayConclusion } from './say-conclusion';
import { SLACK_INTERFACE, webhookHeaders, webhookRequest } from './webhook-request';

/** Time after the call to send and store its outcome. */
const REST_OF_LEASE_MS = 30_000;

/** Handles due deliveries. `wake` is called when a call has ended and the next one may begin. */
export function webhookJobs(ctx: Omit<Context, 'dueJobs'>, wake: () => void): DueJobsDefinition {
  const { OUTGOING_WEBHOOKS_AT_ONCE, OUTGOING_WEBHOOK_TIMEOUT_SECS } = ctx.config;
  return {
    kind: JOB_KIND,
    concurrency: OUTGOING_WEBHOOKS_AT_ONCE,
    leaseMs: OUTGOING_WEBHOOK_TIMEOUT_SECS * 1_000 + REST_OF_LEASE_MS,
    async run(job: ClaimedJob) {
      await deliverCall(ctx, job);
      wake();
    },
  };
}

const MAX_CALLS = 4;
/** Random, so that bots on one server are not called in step. */
const BACK_OFF: BackOff = { firstMs: 500, growth: 3, spread: 0.5 };
/** Longer than the message's event may be redelivered. */
const TRACE_MS = 24 * 60 * 60_000;
/** Retention of failed deliveries, for a replay by the operator. */
const DEAD_MS = 30 * 24 * 60 * 60_000;

type Needed = Omit<Context, 'dueJobs'>;

const NOTHING: Conclusion = { reply: null, toOwner: null, failure: null };

/** Calls a bot and sends its answer; the second time the job is due, it deletes the delivery. */
export async function deliverCall(ctx: Needed, job: ClaimedJob): Promise<void> {
  const delivery = await findDelivery(ctx.db, job);
  if (delivery === null) return forget(ctx, job);
  const called = await findCalledBot(ctx, delivery);
  if (called === null) return end(ctx, job, delivery, NOTHING);
  const conclusion = delivery.conclusion ?? (await conclude(ctx, job, delivery, called));
  if (conclusion === null) return;
  await sayConclusion(ctx, { job, delivery, called }, conclusion);
  await end(ctx, job, delivery, conclusion);
}

/** Null when the call is to be retried. The outcome is stored before anything is sent, so that the bot is not called twice. */
async function conclude(
  ctx: Needed,
  job: ClaimedJob,
  delivery: Delivery,
  called: CalledBot,
): Promise<Conclusion | null> {
  const calls = await countCall(ctx.db, delivery);
  // Interrupted calls count too: they may be what crashes replicas.
  const outcome = calls > MAX_CALLS ? GIVEN_UP : await callWebhook(ctx, delivery, called);
  if (outcome.kind === 'failure' && outcome.isPassing && calls < MAX_CALLS) {
    await postponeDueJobs(ctx.db, [job], ctx.clock.now() + pauseMs(BACK_OFF, calls));
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

/** Ends the delivery and starts the bot's next one. */
async function end({ db, clock }: Needed, job: ClaimedJob, delivery: Delivery, { failure }: Conclusion): Promise<void> {
  const nowMs = clock.now();
  await db.transaction(async (tx) => {
    await lockBots(tx, delivery.realmId, [delivery.botId]);
    const held = await postponeDueJobs(tx, [job], nowMs + (failure === null ? TRACE_MS : DEAD_MS));
    // Another replica has taken over the delivery.
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

const MAX_ANSWER_BYTES = 1_048_576;
const METHOD = 'POST';

const NOT_FOR_SLACK: Outcome = {
  kind: 'failure',
  said: "Slack outgoing webhooks don't support direct messages.",
  toOwner: null,
  reason: 'direct message',
  isPassing: false,
};

/** Calls a bot; never throws because of the bot. */
async function callWebhook(
  { outside, clock, config }: Needed,
  delivery: Delivery,
  called: CalledBot,
): Promise<Outcome> {
  const { message } = delivery;
  const { payloadUrl: url, interface: format } = called.webhook;
  if (format === SLACK_INTERFACE && message.channelId === undefined) return NOT_FOR_SLACK;
  const request = webhookRequest(message, called, config.EXTERNAL_HOST);
  const headers = webhookHeaders(request, called, { id: deliveryName(delivery), nowMs: clock.now() });
  const timeoutSecs = config.OUTGOING_WEBHOOK_TIMEOUT_SECS;
  const bounds = { timeoutMs: timeoutSecs * 1_000, maxBytes: MAX_ANSWER_BYTES };
  try {
    return outcomeOfAnswer(await outside({ url, method: METHOD, headers, body: request.body, ...bounds }), format);
  } catch (error) {
    return outcomeOfError(error, { text: message.content, timeoutSecs });
  }
}

const deliveries = declareGauge('parley_webhook_deliveries', 'Calls of bots; dead: the bot could not be reached', [
  'state',
]);

/** Reports delivery counts as metrics until the returned function is called. */
export function measureDeliveries(db: Sql): () => void {
  return onScrape(async () => {
    const counts = await countDeliveries(db);
    return counts.map(({ state, count }) => ({ gauge: deliveries, value: count, labels: { state } }));
  });
}

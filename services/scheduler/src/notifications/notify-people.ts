import { batched, Slices } from '@parley/shared/batch';
import { type HandledEvents, handledEvents } from '@parley/shared/bus';
import { ServiceUnavailableError } from '@parley/shared/errors';
import { mentionsChanged, messageSent } from '@parley/shared/events';
import { groupBy } from '@parley/shared/values';
import type { Context } from '../context';
import { missMessages } from '../missed-mails/miss-messages';
import { queuePushes } from '../push/queue-pushes';
import { AlertWords } from './alert-words';
import { type Notified, notifiedOf } from './decide';
import { gatherFacts, type SentEvent } from './gather-facts';

/** Older messages are no news, whatever has delayed their events. */
export const NEWS_HOURS = 12;

/** Records in one batch. */
export const MAX_RECORDS = 32;
/** While many messages are sent, a batch waits this long for more, which cost hardly anything then. */
const BATCH_EVERY_MS = 50;

type NotifyContext = Pick<Context, 'db' | 'clock' | 'config' | 'services' | 'dueJobs'>;

/**
 * Handles new messages, or edits of mentions: decides who is to be told of them and stores that, once for each event. Records that come together are one batch, with
 * one call to realm, one to messages and one transaction; messages that concern nobody leave no trace here.
 */
export function notifier(
  ctx: NotifyContext,
  event: typeof messageSent | typeof mentionsChanged = messageSent,
): (events: SentEvent[]) => Promise<void> {
  const handled = handledEvents({ db: ctx.db, service: 'scheduler', event });
  const needed = { ...ctx, alertWords: new AlertWords(ctx.clock), handled, isOfEdits: event === mentionsChanged };
  const notify = batched((records: SentEvent[][]) => notifyOfRecords(needed, records), {
    maxItems: MAX_RECORDS,
    maxInFlight: 1,
    everyMs: BATCH_EVERY_MS,
  });
  return async (events) => void (await notify(events));
}

type Needed = NotifyContext & { alertWords: AlertWords; handled: HandledEvents; isOfEdits: boolean };

/** If one record cannot be handled, the others are. */
async function notifyOfRecords(ctx: Needed, records: readonly SentEvent[][]): Promise<(true | Error)[]> {
  try {
    await notifyPeople(ctx, records.flat());
    return records.map(() => true);
  } catch (error) {
    if (error instanceof ServiceUnavailableError || records.length === 1) throw error;
    const results: (true | Error)[] = [];
    for (const record of records) results.push(await notifyAlone(ctx, record));
    return results;
  }
}

function notifyAlone(ctx: Needed, record: readonly SentEvent[]): Promise<true | Error> {
  return notifyPeople(ctx, record).then(
    () => true as const,
    (error: Error) => error,
  );
}

async function notifyPeople(ctx: Needed, events: readonly SentEvent[]): Promise<void> {
  const sinceMs = ctx.clock.now() - NEWS_HOURS * 3_600_000;
  const news = events.filter(({ payload }) =>
    'editedAtMs' in payload ? payload.editedAtMs >= sinceMs : !payload.isQuiet && payload.message.sentAtMs >= sinceMs,
  );
  for (const part of partsOf(news)) await notifyOfPart(ctx, part);
}

/** Mentions of everybody may concern thousands: one in each part. */
function partsOf(events: readonly SentEvent[]): SentEvent[][] {
  const parts: SentEvent[][] = [];
  let isFull = true;
  for (const event of events) {
    if (isFull) parts.push([]);
    parts.at(-1)?.push(event);
    isFull = event.payload.mentionsChannel || event.payload.mentionsTopic;
  }
  return parts;
}

async function notifyOfPart(ctx: Needed, events: readonly SentEvent[]): Promise<void> {
  const gathered = await gatherFacts(ctx, events);
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const concerning: { id: string; notified: Notified[] }[] = [];
  for (const message of gathered) {
    const notified = await notifiedOf(message, slices);
    if (notified.length > 0) concerning.push({ id: message.event.id, notified });
  }
  if (concerning.length === 0) return;
  const pushed = await ctx.db.transaction(async (tx) => {
    const fresh = await ctx.handled.noteIn(tx, concerning);
    const notified = fresh.flatMap((each) => each.notified);
    let count = 0;
    for (const [realmId, ofRealm] of groupBy(notified, (each) => each.realmId)) {
      await missMessages(tx, realmId, ofRealm, { nowMs: ctx.clock.now(), replacesTriggers: ctx.isOfEdits });
      const pushes = ofRealm.flatMap(({ push, ...each }) => (push === null ? [] : [{ ...each, trigger: push }]));
      count += await queuePushes(ctx, tx, realmId, pushes);
    }
    return count;
  });
  ctx.dueJobs.missedMails.wake();
  if (pushed > 0) ctx.dueJobs.pushes.wake();
  await ctx.handled.expire();
}

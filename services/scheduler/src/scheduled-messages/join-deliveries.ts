import { batched } from '@parley/shared/batch';
import { announce } from '@parley/shared/bus';
import { scheduledMessageRemoved } from '@parley/shared/events';
import type { BaseContext } from '@parley/shared/service';
import { type ClaimedJob, postponeDueJobs } from '../due-jobs';
import type { StoredMessage } from './scheduled-message';
import { listScheduledMessagesByKey, lockScheduledMessages, markSent } from './scheduled-message.sql';

/** For so long its author is told that the message was sent. */
const TRACE_MS = 24 * 60 * 60_000;
const BATCH = { maxItems: 64, maxInFlight: 2 };

/** A job whose message was sent. */
export interface SentJob extends ClaimedJob {
  userId: number;
  messageId: number;
}

/** What deliveries do with the database, those that happen at once together. */
export interface Deliveries {
  find(job: ClaimedJob): Promise<StoredMessage | null>;
  /** Keeps in mind that it was sent, and tells its author. */
  noteSent(job: SentJob): Promise<undefined>;
}

export function joinDeliveries(ctx: Pick<BaseContext<unknown>, 'db' | 'clock'>): Deliveries {
  return {
    find: batched((jobs) => findAll(ctx, jobs), BATCH),
    noteSent: batched((jobs) => noteAllSent(ctx, jobs), BATCH),
  };
}

type Needed = Pick<BaseContext<unknown>, 'db' | 'clock'>;

async function findAll({ db }: Needed, jobs: readonly ClaimedJob[]): Promise<(StoredMessage | null)[]> {
  const found = await listScheduledMessagesByKey(db, jobs);
  return jobs.map(({ id }) => found.find((message) => message.id === id) ?? null);
}

/** Their jobs are given out once more when even that can be forgotten. */
async function noteAllSent({ db, clock }: Needed, jobs: readonly SentJob[]): Promise<undefined[]> {
  await db.transaction(async (tx) => {
    await lockScheduledMessages(tx, jobs);
    const held = await postponeDueJobs(tx, jobs, clock.now() + TRACE_MS);
    await markSent(tx, held);
    const eventOf = ({ realmId, userId, id }: SentJob) =>
      scheduledMessageRemoved(realmId, { userId, scheduledMessageId: id });
    await announce(tx, ...held.map(eventOf));
  });
  return jobs.map(() => undefined);
}

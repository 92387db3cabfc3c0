import { batched } from '@parley/shared/batch';
import { type ClaimedJob, type DueJobsDefinition, postponeDueJobs, putDueJob, settleDueJob } from '@parley/shared/jobs';
import { putMail } from '@parley/shared/mail';
import type { MailRecipient } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { groupBy, type NotificationFacts, notificationFactsOf, USER_SETTING_DEFAULTS } from '@parley/shared/values';
import { isStillMailed, type Trigger } from '../base/who-is-notified';
import type { Context } from '../context';
import { deleteMissed, JOB_KIND, listMissed, type MissedRow, type PersonKey } from './missed-message.sql';
import { planMails } from './plan-mails';

/** People whose mails are made at once. */
const AT_ONCE = 32;
const LEASE_MS = 30_000;
/** A mail does not mention more messages than this; the latest are in it. */
const MAX_MESSAGES = 500;
/** How long mails wait for a person who is active to read the messages, or to go away. */
const LOOK_AGAIN_MS = 5 * 60_000;
/** A message that somebody active has not read for this time after their batching period is forgotten. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;

type Needed = Pick<Context, 'db' | 'clock' | 'services'>;

/** Makes mails of the messages that people have missed, when their batching periods are over. */
export function missedMailJobs(ctx: Needed): DueJobsDefinition {
  const find = personFinder(ctx);
  return {
    kind: JOB_KIND,
    concurrency: AT_ONCE,
    leaseMs: LEASE_MS,
    run: (job) => makeMails(ctx, job, find),
  };
}

/** What counts of a person when mails are due. */
interface DuePerson {
  facts: NotificationFacts;
  batchingMs: number;
  recipient: MailRecipient;
}

async function makeMails(
  ctx: Needed,
  job: ClaimedJob,
  find: (person: PersonKey) => Promise<DuePerson | null>,
): Promise<void> {
  const key = { realmId: job.realmId, userId: job.id };
  const missed = await listMissed(ctx.db, key, MAX_MESSAGES);
  const person = missed.length === 0 ? null : await find(key);
  const nowMs = ctx.clock.now();
  const wanted = person === null ? [] : missed.filter(({ trigger }) => isStillMailed(trigger as Trigger, person.facts));
  const isActive = person?.facts.isActiveNow === true;
  // The active may read the messages yet.
  const isWaiting = isActive && wanted.some((row) => isFresh(row, person, nowMs));
  if (isWaiting) return void (await postponeDueJobs(ctx.db, [job], nowMs + LOOK_AGAIN_MS));
  await store(ctx, job, { missed, wanted: isActive ? [] : wanted, person });
}

function isFresh({ missedAtMs }: MissedRow, { batchingMs }: DuePerson, nowMs: number): boolean {
  return nowMs - missedAtMs < batchingMs + FORGOTTEN_AFTER_MS;
}

/** Queues mails about the wanted messages in the transaction that ends the job; the others are forgotten. */
async function store(
  { db, clock }: Needed,
  job: ClaimedJob,
  { missed, wanted, person }: { missed: readonly MissedRow[]; wanted: readonly MissedRow[]; person: DuePerson | null },
): Promise<void> {
  const key = { realmId: job.realmId, userId: job.id };
  const nowMs = clock.now();
  const messageIds = missed.map(({ messageId }) => messageId);
  const beforeId = missed.length < MAX_MESSAGES ? 0 : Math.min(...messageIds);
  await db.transaction(async (tx) => {
    if (!(await settleDueJob(tx, job))) return;
    const hasMore = await deleteMissed(tx, key, { messageIds, beforeId });
    // Missed since, while the job was still there.
    if (hasMore) await putDueJob(tx, job, nowMs + (person?.batchingMs ?? DEFAULT_BATCHING_MS));
    if (person === null) return;
    const { address: recipient } = person.recipient;
    const mails = planMails(key.userId, wanted);
    await putMail(tx, ...mails.map((mail) => ({ ...key, template: TEMPLATE, recipient, content: { ...mail }, nowMs })));
  });
}

/** The template of mails about missed messages. */
export const TEMPLATE = 'missed-messages';

const DEFAULT_BATCHING_MS = Number(USER_SETTING_DEFAULTS.email_notifications_batching_period_seconds) * 1000;

/** Finds people; null: deactivated, or their address takes no mails. Concurrent calls are batched. */
function personFinder({ services }: Pick<Needed, 'services'>): (person: PersonKey) => Promise<DuePerson | null> {
  const findAll = async (people: PersonKey[]) => {
    const messages = people.map(({ realmId, userId }) => ({
      ...{ realmId, senderId: 0, version: 0, mentionsAll: false, namedIds: [userId] },
    }));
    const [{ people: facts }, recipients] = await Promise.all([
      services.realm.getNotificationFacts(newCall(), { messages, alertWords: [] }),
      findRecipients(services, people),
    ]);
    return people.map((person, index) => {
      const { facts: [bits = 0] = [], batchingSecs: [secs] = [] } = facts[index] ?? {};
      const recipient = recipients.get(keyOf(person));
      const batchingMs = secs ? secs * 1000 : DEFAULT_BATCHING_MS;
      return recipient ? { facts: notificationFactsOf(bits), batchingMs, recipient } : null;
    });
  };
  return batched(findAll, { maxItems: AT_ONCE, maxInFlight: 2 });
}

const keyOf = ({ realmId, userId }: PersonKey) => `${realmId}/${userId}`;

async function findRecipients(
  services: Needed['services'],
  people: readonly PersonKey[],
): Promise<ReadonlyMap<string, MailRecipient>> {
  const found = [...groupBy(people, ({ realmId }) => realmId)].map(async ([realmId, ofRealm]) => {
    const userIds = ofRealm.map(({ userId }) => userId);
    const { recipients } = await services.realm.listMailRecipients(newCall(), { realmId, userIds, kind: MAIL_KIND });
    return recipients.map((recipient) => [keyOf({ realmId, userId: recipient.userId }), recipient] as const);
  });
  return new Map((await Promise.all(found)).flat());
}

/** The kind of mails that people can end. */
export const MAIL_KIND = 'missed_messages';

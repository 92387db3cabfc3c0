import type { Database } from '@parley/shared/db';
import { type ClaimedJob, claimDueJobs, type DueJobs, startDueJobs } from '@parley/shared/jobs';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, type TestDatabase } from '@parley/shared/testing';
import { NOTIFICATION_FACTS, type NotificationFact } from '@parley/shared/values';
import { openTestDatabase } from '../../test/open-test-database';
import type { Trigger } from '../base/who-is-notified';
import type { Context } from '../context';
import { missedMailJobs } from './due-mails';
import { missMessages } from './miss-messages';
import { JOB_KIND, type NewMissed } from './missed-message.sql';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const clock = createFakeClock();
const started: DueJobs[] = [];
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((jobs) => jobs.stop()));
  await db.query('truncate missed_message, due_job, mail_job');
});
afterAll(() => database.close());

const bitOf = (name: NotificationFact) => 1 << NOTIFICATION_FACTS.indexOf(name);
const [IS_ACTIVE, WANTS_MAILS] = [bitOf('isActiveNow'), bitOf('enable_offline_email_notifications')];

/** Realm as far as it is asked: everybody is mailable, unless they are listed as something else. */
function world({ isRunning = true } = {}) {
  const nobody = () => new Set<number>();
  const state = { active: nobody(), deaf: nobody(), quiet: nobody(), onAsked: async () => {} };
  const factsOf = (id: number) => (state.active.has(id) ? IS_ACTIVE : 0) | (state.quiet.has(id) ? 0 : WANTS_MAILS);
  const realm = {
    getNotificationFacts: async (_call: unknown, { messages }: { messages: { namedIds: number[] }[] }) => {
      await state.onAsked();
      const people = messages.map(({ namedIds: [userId = 0] }) => ({
        userIds: [userId],
        facts: [factsOf(userId)],
        batchingSecs: [60],
      }));
      return { people, alertWords: [] };
    },
    listMailRecipients: async (_call: unknown, { userIds }: { userIds: number[] }) => ({
      recipients: userIds
        .filter((userId) => !state.deaf.has(userId))
        .map((userId) => ({ userId, address: `${userId}@example.com` })),
    }),
  };
  const definition = missedMailJobs({ db, clock, services: { realm } } as unknown as Context);
  const runner = isRunning ? startDueJobs({ db, clock, log: silentLogger }, definition) : undefined;
  if (runner) started.push(runner);
  return { state, jobs: runner as DueJobs, definition };
}

const miss = (...missed: ({ userId: number; messageId: number; mail?: Trigger } & Partial<NewMissed>)[]) =>
  db.transaction((tx) =>
    missMessages(
      tx,
      1,
      missed.map(({ userId, ...each }) => ({
        ...{ conversation: 'a', mail: 'mention', batchingMs: MINUTE_MS, userIds: [userId] },
        ...each,
      })),
      { nowMs: clock.now(), replacesTriggers: false },
    ),
  );

const mails = async () => {
  const rows = await db.query<{ recipient: string; content: { messageIds: number[]; triggers: string[] } }>(
    'select recipient, content from mail_job order by id',
  );
  return rows.map(({ recipient, content }) => [recipient, ...content.messageIds]);
};
const missed = async () =>
  (await db.query<{ id: number }>('select message_id as id from missed_message order by 1')).map(({ id }) => id);

test('one mail for each conversation, when the first message’s period is over', async () => {
  const { jobs } = world();
  await miss({ userId: 2, messageId: 10 }, { userId: 3, messageId: 10 });
  clock.advance(MINUTE_MS - 1);
  await miss({ userId: 2, messageId: 11, conversation: 'b' }, { userId: 2, messageId: 12 });
  await jobs.runOnce();
  expect(await mails()).toEqual([]);
  clock.advance(1);
  await jobs.runOnce();
  expect((await mails()).sort()).toEqual([
    ['2@example.com', 10, 12],
    ['2@example.com', 11],
    ['3@example.com', 10],
  ]);
  expect([await missed(), await db.query('select from due_job')]).toEqual([[], []]);
});

test('a single mail about many conversations', async () => {
  const { jobs } = world();
  await miss(...[10, 11, 12, 13].map((messageId) => ({ userId: 2, messageId, conversation: `${messageId}` })));
  clock.advance(MINUTE_MS);
  await jobs.runOnce();
  expect(await mails()).toEqual([['2@example.com', 10, 11, 12, 13]]);
});

test('somebody active gets the mail once they are away; after a day messages are forgotten', async () => {
  const { jobs, state } = world();
  state.active.add(2);
  await miss({ userId: 2, messageId: 10 });
  clock.advance(MINUTE_MS);
  await jobs.runOnce();
  expect([await mails(), await missed()]).toEqual([[], [10]]);
  state.active.delete(2);
  clock.advance(5 * MINUTE_MS);
  await jobs.runOnce();
  expect(await mails()).toEqual([['2@example.com', 10]]);
  state.active.add(2);
  await miss({ userId: 2, messageId: 20 });
  clock.advance(24 * HOUR_MS + MINUTE_MS);
  await jobs.runOnce();
  expect([(await mails()).length, await missed(), await db.query('select from due_job')]).toEqual([1, [], []]);
});

test('who is deactivated, or has an address that takes no mails, gets none', async () => {
  const { jobs, state } = world();
  state.deaf.add(2);
  await miss({ userId: 2, messageId: 10 });
  clock.advance(MINUTE_MS);
  await jobs.runOnce();
  expect([await mails(), await missed()]).toEqual([[], []]);
});

test('who has switched such mails off meanwhile gets none, and is not waited for', async () => {
  const { jobs, state } = world();
  state.active.add(2);
  for (const userId of [2, 3]) state.quiet.add(userId);
  await miss({ userId: 2, messageId: 10 }, { userId: 3, messageId: 10 }, { userId: 3, messageId: 11, mail: 'channel' });
  clock.advance(MINUTE_MS);
  await jobs.runOnce();
  expect(await mails()).toEqual([['3@example.com', 11]]);
  expect([await missed(), await db.query('select from due_job')]).toEqual([[], []]);
});

test('what is missed while mails are made comes with the next ones', async () => {
  const { jobs, state } = world();
  await miss({ userId: 2, messageId: 10 });
  clock.advance(MINUTE_MS);
  state.onAsked = () => miss({ userId: 2, messageId: 11 }, { userId: 2, messageId: 9 });
  await jobs.runOnce();
  state.onAsked = async () => {};
  expect([await mails(), await missed()]).toEqual([[['2@example.com', 10]], [9, 11]]);
  clock.advance(MINUTE_MS);
  await jobs.runOnce();
  expect(await mails()).toEqual([
    ['2@example.com', 10],
    ['2@example.com', 9, 11],
  ]);
});

test('of two replicas that make the same mails, one does', async () => {
  const { definition } = world({ isRunning: false });
  await miss({ userId: 2, messageId: 10 });
  clock.advance(MINUTE_MS);
  const claim = () => claimDueJobs(db, { kind: JOB_KIND, nowMs: clock.now(), leaseMs: 1, limit: 1 });
  const [slow] = (await claim()) as [ClaimedJob];
  clock.advance(1);
  const [quick] = (await claim()) as [ClaimedJob];
  await definition.run(quick);
  await definition.run(slow);
  expect(await mails()).toEqual([['2@example.com', 10]]);
});

test('a storm is bounded: the latest messages are in the mail, and none is left', async () => {
  const { jobs } = world();
  await miss(...Array.from({ length: 600 }, (_, n) => ({ userId: 2, messageId: n + 1 })));
  clock.advance(MINUTE_MS);
  await jobs.runOnce();
  const [[, ...ids] = []] = await mails();
  expect([ids.length, ids[0], ids.at(-1)]).toEqual([500, 101, 600]);
  expect(await missed()).toEqual([]);
});

import type { Database } from '@parley/shared/db';
import { claimDueJobs } from '@parley/shared/jobs';
import type { TestDatabase } from '@parley/shared/testing';
import { openTestDatabase } from '../../test/open-test-database';
import type { Context } from '../context';
import { JOB_KIND, reminderJobs } from './reminders';

const MANY = 16;
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
});
afterEach(() => db.query('with gone as (delete from due_job) delete from reminder'));
afterAll(() => database.close());

/** Other services, which note the receivers of messages. */
function peers(receiverIds: number[]) {
  const messages = {
    findUnreadable: async () => ({ messageIds: [] }),
    sendMessage: async (_call: unknown, { recipientIds }: { recipientIds: number[] }) => {
      receiverIds.push(...recipientIds);
      return { messageId: 1 };
    },
  };
  return { messages } as unknown as Context['services'];
}

/** Delivers so many reminders that are due at once; returns the number of statements, and the receivers. */
async function deliver(count: number): Promise<{ statements: number; receiverIds: number[] }> {
  await db.query(
    `with made as (
       insert into reminder (realm_id, user_id, bot_id, message_id, content, rendered_content, deliver_at)
       select 1, n, 99, 5, 'Remember', '', now() from generate_series(1, $1::int) n returning id
     )
     insert into due_job (realm_id, kind, id, due_at) select 1, '${JOB_KIND}', id, to_timestamp(0) from made`,
    [count],
  );
  const receiverIds: number[] = [];
  const config = { SCHEDULED_SENDS_AT_ONCE: MANY } as Context['config'];
  const { run } = reminderJobs({ db, config, services: peers(receiverIds) });
  const jobs = await claimDueJobs(db, { kind: JOB_KIND, nowMs: 1_000, leaseMs: 20_000, limit: count });
  const before = db.statementCount;
  await Promise.all(jobs.map(run));
  return { statements: db.statementCount - before, receiverIds };
}

test('many reminders that are due at once share their statements, and each is sent once', async () => {
  const one = await deliver(1);
  expect(one.receiverIds).toEqual([1]);
  const many = await deliver(MANY);
  expect(many.receiverIds.sort((a, b) => a - b)).toEqual(Array.from({ length: MANY }, (_, n) => n + 1));
  // The first one does not wait for the others.
  expect(many.statements).toBeLessThanOrEqual(3 * one.statements);
  expect(await db.query('select id from reminder union all select id from due_job')).toEqual([]);
  const told = await db.query<{ count: number }>(
    `select count(*) as count from outbox where kind = 'reminder.removed'`,
  );
  expect(told).toEqual([{ count: MANY + 1 }]);
});

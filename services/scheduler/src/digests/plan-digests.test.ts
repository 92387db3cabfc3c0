import type { Database } from '@parley/shared/db';
import type { DigestRecipient } from '@parley/shared/proto';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, type FakeClock, type TestDatabase } from '@parley/shared/testing';
import { openTestDatabase } from '../../test/open-test-database';
import type { Context } from '../context';
import { planDigestsPeriodically } from './plan-digests';

const DAY_MS = 24 * 3_600_000;
const MONDAY = Date.parse('2030-01-07T09:00:00Z');

let database: TestDatabase;
let db: Database;
let clock: FakeClock;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
});
beforeEach(() => {
  clock = createFakeClock(MONDAY);
});
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await db.query('truncate digest_run, mail_job');
});
afterAll(() => database.close());

/** Realm with one organization whose people are all away. `onAsked` runs before each answer about people. */
function world(people: number, weekday = 0) {
  const state = { weekday, asked: [] as number[], onAsked: async () => {} };
  const realm = {
    listDigestRealms: async () => ({ realms: [{ realmId: 1, weekday: state.weekday }] }),
    listDigestRecipients: async (_call: unknown, { afterUserId, limit }: { afterUserId: number; limit: number }) => {
      state.asked.push(afterUserId);
      await state.onAsked();
      const left = Array.from({ length: people }, (_, n) => n + 1).filter((id) => id > afterUserId);
      return {
        recipients: left.slice(0, limit).map((id): DigestRecipient => ({ userId: id, address: `${id}@x.org` })),
      };
    },
  };
  const replica = (own: Database = db) => {
    const planning = planDigestsPeriodically({
      db: own,
      clock,
      log: silentLogger,
      services: { realm },
    } as unknown as Context);
    stops.push(planning.stop);
    return planning;
  };
  return { state, replica };
}

const userIds = async () => {
  const rows = await db.query<{ id: number }>(`select (content ->> 'userId')::bigint as id from mail_job order by 1`);
  return rows.map(({ id }) => id);
};

test('everybody gets one mail, in slices, once a week', async () => {
  const { state, replica } = world(2_500);
  const planning = replica();
  await planning.runOnce();
  const everybody = Array.from({ length: 2_500 }, (_, n) => n + 1);
  expect(await userIds()).toEqual(everybody);
  expect(state.asked).toEqual([0, 1_000, 2_000]);
  const [mail] = await db.query('select recipient, template, content from mail_job order by id limit 1');
  const sinceMs = Date.parse('2029-12-31T08:00:00Z');
  expect(mail).toEqual({ recipient: '1@x.org', template: 'digest', content: { userId: 1, sinceMs } });
  for (const days of [0, 1, 2, 3]) {
    clock.advance(days * DAY_MS);
    await planning.runOnce();
  }
  expect(await userIds()).toHaveLength(2_500);
  clock.advance(DAY_MS);
  await planning.runOnce();
  expect(await userIds()).toHaveLength(5_000);
});

test('before its day there is none, and another weekday sends no second one', async () => {
  const { state, replica } = world(2, 1);
  const planning = replica();
  await planning.runOnce();
  expect(await userIds()).toEqual([]);
  clock.advance(DAY_MS);
  await planning.runOnce();
  state.weekday = 3;
  clock.advance(2 * DAY_MS);
  await planning.runOnce();
  expect(await userIds()).toEqual([1, 2]);
  clock.advance(7 * DAY_MS);
  await planning.runOnce();
  expect(await userIds()).toHaveLength(4);
});

test('after a clock that was years ahead there are digests again', async () => {
  const { replica } = world(2);
  await db.query(`insert into digest_run (realm_id, day, after_user_id, is_done) values (1, '2038-01-18', 2, true)`);
  await replica().runOnce();
  await replica().runOnce();
  expect(await userIds()).toEqual([1, 2]);
});

test('replicas that plan at the same time queue each mail once', async () => {
  const { replica } = world(2_500);
  await Promise.all([replica(), replica(), replica()].map((planning) => planning.runOnce()));
  await replica().runOnce();
  expect(await userIds()).toEqual(Array.from({ length: 2_500 }, (_, n) => n + 1));
});

test('a replica that dies between slices, or before a slice is stored, leaves the rest to another', async () => {
  const { state, replica } = world(2_500);
  let failures = 0;
  const dying: Database = Object.assign(Object.create(db), {
    transaction: (work: never) => {
      failures += 1;
      return failures === 2 ? Promise.reject(new Error('killed')) : db.transaction(work);
    },
  });
  await replica(dying).runOnce();
  expect(await userIds()).toHaveLength(1_000);
  await replica().runOnce();
  expect(await userIds()).toEqual(Array.from({ length: 2_500 }, (_, n) => n + 1));
  expect(state.asked).toEqual([0, 1_000, 1_000, 2_000]);
});

test('realm that does not answer is asked again', async () => {
  const { state, replica } = world(3);
  state.onAsked = () => Promise.reject(new Error('unavailable'));
  const planning = replica();
  await planning.runOnce();
  state.onAsked = async () => {};
  await planning.runOnce();
  expect(await userIds()).toEqual([1, 2, 3]);
});

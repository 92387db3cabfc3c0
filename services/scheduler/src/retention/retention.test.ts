import type { Database } from '@parley/shared/db';
import { ServiceUnavailableError } from '@parley/shared/errors';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, type TestDatabase, unpurgedTables, until } from '@parley/shared/testing';
import { openTestDatabase } from '../../test/open-test-database';
import type { Context } from '../context';
import { type Retention, runRetentionPeriodically } from './retention';
import { TABLES } from './retention.sql';

const MINUTE_MS = 60_000;
const clock = createFakeClock();
const started: Retention[] = [];
let database: TestDatabase;
let db: Database;

beforeAll(async () => {
  database = await openTestDatabase();
  db = database.db;
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((retention) => retention.stop()));
  await db.query('update retention_run set done_at = null');
  await db.query('delete from reminder');
});
afterAll(() => database.close());

const DONE = { deleted: 0, isComplete: true };

/** Fakes of the other services that log their calls. */
function peers() {
  const asked: string[] = [];
  const state = {
    expired: new Map<number, number>(),
    broken: new Set<number>(),
    toPurge: [] as number[],
    purgedIds: [] as number[],
    hasFiles: false,
    isAway: false,
  };
  const ask = async (what: string) => {
    asked.push(what);
    if (state.isAway) throw new ServiceUnavailableError();
  };
  const services = {
    realm: {
      // Channels would be thousands in each organization.
      listRetention: async (_call: unknown, { withoutChannels = false }) => {
        await ask(withoutChannels ? 'rules' : 'rules of all channels');
        return { realms: [...state.expired.keys()].map((realmId) => ({ realmId, days: 1, channels: [] })) };
      },
      listRealmsToPurge: async () => ({ realmIds: state.toPurge }),
      purgeRealm: async (_call: unknown, { realmId }: { realmId: number }) => {
        await ask(`realm ${realmId}`);
        state.toPurge = state.toPurge.filter((id) => id !== realmId);
        return DONE;
      },
    },
    messages: {
      deleteExpiredMessages: async (_call: unknown, { realmId }: { realmId: number }) => {
        await ask(`expired ${realmId}`);
        if (state.broken.has(realmId)) throw new Error('broken');
        const left = state.expired.get(realmId) as number;
        state.expired.set(realmId, Math.max(0, left - 100));
        return { deleted: Math.min(100, left), isComplete: left === 0 };
      },
      findPurged: async (_call: unknown, { messageIds }: { messageIds: number[] }) => ({
        messageIds: messageIds.filter((id) => state.purgedIds.includes(id)),
      }),
      purgeRealm: async (_call: unknown, { realmId }: { realmId: number }) => {
        await ask(`messages ${realmId}`);
        return state.hasFiles ? { deleted: 0, isComplete: false } : DONE;
      },
    },
    invites: {
      deleteEndedInvitations: async () => DONE,
      purgeRealm: async () => DONE,
    },
  };
  return { asked, state, services: services as unknown as Context['services'] };
}

type Peers = ReturnType<typeof peers>;

/** Starts a replica. */
function start({ services }: Peers): Retention {
  const config = { RETENTION_INTERVAL_MINUTES: 60 } as Context['config'];
  const retention = runRetentionPeriodically({
    db,
    bus: undefined as never,
    clock,
    log: silentLogger,
    config,
    services,
  });
  started.push(retention);
  return retention;
}

test('expired data is deleted in batches, in every organization', async () => {
  const world = peers();
  world.state.expired = new Map([
    [1, 150],
    [2, 0],
  ]);
  await start(world).runOnce();
  expect(world.asked).toEqual(['rules', 'expired 1', 'expired 1', 'expired 1', 'expired 2']);
});

test('it is done once in a while, by one replica of those that are there, and again after that while', async () => {
  const world = peers();
  const replicas = [start(world), start(world), start(world)];
  await Promise.all(replicas.map((replica) => replica.runOnce()));
  expect(world.asked).toEqual(['rules']);
  clock.advance(60 * MINUTE_MS - 1);
  await Promise.all(replicas.map((replica) => replica.runOnce()));
  expect(world.asked).toEqual(['rules']);
  clock.advance(1);
  await Promise.all(replicas.map((replica) => replica.runOnce()));
  expect(world.asked).toEqual(['rules', 'rules']);
});

test('a run in the future, by a clock that was wrong, delays nothing', async () => {
  const world = peers();
  await db.query(`update retention_run set done_at = '2038-01-01'`);
  await start(world).runOnce();
  expect(world.asked).toEqual(['rules']);
  const [run] = await db.query<{ isPast: boolean }>(
    `select done_at <= to_timestamp($1 / 1000.0) as "isPast" from retention_run`,
    [clock.now()],
  );
  expect(run?.isPast).toBe(true);
});

test('an organization in which it fails does not delay others, and is retried before the next run', async () => {
  const world = peers();
  world.state.expired = new Map([
    [1, 0],
    [2, 0],
  ]);
  world.state.broken.add(1);
  const replica = start(world);
  await replica.runOnce();
  world.state.broken.clear();
  await replica.runOnce();
  await replica.runOnce();
  expect(world.asked).toEqual(['rules', 'expired 1', 'expired 2', 'rules', 'expired 1', 'expired 2']);
});

test('unreachable services are waited for', async () => {
  const world = peers();
  world.state.isAway = true;
  const replica = start(world);
  await replica.runOnce();
  world.state.isAway = false;
  await replica.runOnce();
  expect(world.asked).toEqual(['rules', 'rules']);
});

test('first answers are forgotten after a day', async () => {
  await db.query(
    `insert into request_key (realm_id, user_id, kind, key, answer, digest, created_at)
     select 1, 2, 'reminder', n::text, '{}', '', to_timestamp($1 / 1000.0) from generate_series(1, 1100) n`,
    [clock.now()],
  );
  const countKeys = async () => (await db.query('select 1 from request_key')).length;
  const replica = start(peers());
  clock.advance(24 * 60 * MINUTE_MS);
  await replica.runOnce();
  // The replica's own run may be the one that is noted, with the time of its end.
  await until(async () => (await db.query('select from retention_run where done_at is not null')).length > 0);
  expect(await countKeys()).toBe(1_100);
  clock.advance(60 * MINUTE_MS);
  await replica.runOnce();
  // The replica's own run may be the one that deletes them; meanwhile no other replica does.
  await until(async () => (await countKeys()) === 0);
});

test('reminders forget the texts of purged messages, and keep notes', async () => {
  const textOf = (n: number) => `You requested a reminder for #**plans>x@${n}**. Note:\n> Ask\n\n@_**Eve|9** said ${n}`;
  await db.query(
    `insert into reminder (realm_id, user_id, bot_id, message_id, content, rendered_content, deliver_at)
     select 1, 1, 2, id, content, content, now() from unnest($1::bigint[], $2::text[]) as m (id, content)`,
    [
      [3, 4],
      [textOf(3), textOf(4)],
    ],
  );
  const world = peers();
  world.state.purgedIds = [3];
  await start(world).runOnce();
  const kept = await db.query('select content, rendered_content as html from reminder order by message_id');
  const note = 'You requested a reminder for a message that you may not read any more. Note:\n> Ask';
  expect(kept).toEqual([
    { content: note, html: '' },
    { content: textOf(4), html: textOf(4) },
  ]);
});

describe('an organization whose data is to be deleted', () => {
  const addReminders = (realmId: number, count: number) =>
    db.query(
      `insert into reminder (realm_id, user_id, bot_id, message_id, content, rendered_content, deliver_at)
       select $1, 1, 2, 3, '', '', now() from generate_series(1, $2::integer)`,
      [realmId, count],
    );
  const countReminders = async () => {
    const [row] = await db.query<{ count: number }>('select count(*) as count from reminder');
    return row?.count;
  };

  test('leaves nothing anywhere, of realm last', async () => {
    const world = peers();
    world.state.toPurge = [7];
    await addReminders(7, 2_100);
    await addReminders(8, 3);
    await start(world).runOnce();
    expect(world.asked.slice(1)).toEqual(['messages 7', 'realm 7']);
    expect(await countReminders()).toBe(3);
  });

  test('is known to realm for as long as files are to be deleted', async () => {
    const world = peers();
    world.state.toPurge = [7];
    world.state.hasFiles = true;
    const replica = start(world);
    await replica.runOnce();
    expect(world.asked).not.toContain('realm 7');
    world.state.hasFiles = false;
    await replica.runOnce();
    expect(world.state.toPurge).toEqual([]);
  });

  test('has no table that was forgotten', async () => {
    expect(await unpurgedTables(db, TABLES)).toEqual([]);
  });
});

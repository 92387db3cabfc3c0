import { type Bus, connectBus, followLeaseEndings, type LeaseEnding } from '@parley/shared/bus';
import { type Database, openDatabase } from '@parley/shared/db';
import { silentLogger } from '@parley/shared/service';
import { testPrefix, testServers, until, untilWaiting } from '@parley/shared/testing';
import { ROLES } from '@parley/shared/values';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { join, leave, newGroup, newUser, type Person } from '../../test/examples';
import { readFactsReader } from '../facts/get-read-facts';
import { foldListChanges } from '../list-changes/list-changes.sql';
import { addAlertWords } from '../personal/alert-words';
import { muteUser } from '../personal/muted-users';
import { endLeasesBeforeCommit, LEASED_TABLES } from './end-leases';
import { holdLeases } from './hold-leases';
import { awaitEndOfLeases } from './leases.sql';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);
const read = readFactsReader(ctx);

let bus: Bus;
/** What the holder was told. */
let told: LeaseEnding[];
let stopFollowing: () => void;
/** A connection that is not realm's. */
let outside: Database;

beforeAll(async () => {
  bus = await connectBus({ url: testServers().natsUrl, prefix: testPrefix(), name: 'test', log: silentLogger });
  ctx.db.beforeCommit(endLeasesBeforeCommit({ bus, log: silentLogger }));
  outside = openDatabase({ url: ctx.db.url, poolSize: 3, applicationName: 'test' });
});
afterAll(async () => {
  await outside.close();
  await bus.close();
});

beforeEach(async () => {
  await join(ctx, olivia, ['open']);
  await join(ctx, iago, ['open']);
  told = [];
  stopFollowing = followLeaseEndings(bus, 'holder', (endings) => void told.push(...endings));
  await bus.connection.flush();
  await hold();
});
afterEach(async () => {
  stopFollowing();
  await holdLeases(ctx, { holderId: 'holder', isOver: true });
});

const hold = (holderId = 'holder') => holdLeases(ctx, { holderId });

/** Runs SQL on the organization $1, and of iago, $2. */
async function execute(sql: string): Promise<void> {
  await ctx.db.query(sql, sql.includes('$2') ? [olivia.realmId, iago.userId] : [olivia.realmId]);
}

/** Whether iago's facts are leased, whose version the caller knows. */
async function isLeased(person: Person = iago): Promise<boolean> {
  const { version: knownVersion = '' } = await read({ ...person, credential: undefined }, {});
  const { isKnown, leaseMs } = await read(person, { knownVersion, wantsLease: true });
  expect(isKnown).toBe(true);
  return leaseMs !== undefined;
}

const MEMBERS_ID = `(select id from user_group where realm_id = $1 and name = 'role:members')`;
const everybody = () => ({ realmId: olivia.realmId, userId: null });
const onlyIago = () => ({ realmId: olivia.realmId, userId: iago.userId });

describe('a holder is told, before the commit, of', () => {
  test.each<[string, () => Promise<unknown>, () => LeaseEnding]>([
    ['a subscription', () => join(ctx, iago, ['open', 'other']), everybody],
    ['the end of one', () => leave(ctx, iago, ['open']), onlyIago],
    [
      'muting a channel',
      () => execute('update subscription set is_muted = true where realm_id = $1 and user_id = $2'),
      onlyIago,
    ],
    ['muting a user', () => muteUser(ctx, iago, { userId: olivia.userId }), onlyIago],
    ['an alert word', () => addAlertWords(ctx, iago, { words: ['lunch'] }), onlyIago],
    [
      'a setting of the reader',
      () =>
        execute(
          `insert into user_settings (realm_id, user_id, chosen) values ($1, $2, '{"twenty_four_hour_time": true}')`,
        ),
      onlyIago,
    ],
    [
      'another role',
      () => execute(`update user_account set role = ${ROLES.guest} where realm_id = $1 and id = $2`),
      everybody,
    ],
    [
      'the end of an account',
      () => execute('update user_account set is_active = false where realm_id = $1 and id = $2'),
      everybody,
    ],
    [
      'another name',
      () => execute(`update user_account set full_name = 'New' where realm_id = $1 and id = $2`),
      everybody,
    ],
    [
      'a revoked key',
      () => execute('update api_key set revoked_at = now() where realm_id = $1 and user_id = $2'),
      onlyIago,
    ],
    ['a deleted key', () => execute('delete from api_key where realm_id = $1 and user_id = $2'), onlyIago],
    [
      'an earlier end of a session',
      () => execute('update api_key set expires_at = now() where realm_id = $1 and user_id = $2'),
      onlyIago,
    ],
    [
      'a setting of the organization',
      () => execute(`update realm set settings = '{"topics_policy": "x"}' where id = $1`),
      everybody,
    ],
    ['the end of the organization', () => execute('update realm set is_deactivated = true where id = $1'), everybody],
    [
      'another address of the organization',
      () => execute(`update realm set subdomain = 's' || id where id = $1`),
      everybody,
    ],
    [
      'a channel that becomes private',
      () => execute(`update channel set is_private = true where realm_id = $1 and name = 'open'`),
      everybody,
    ],
    [
      'who may see all users',
      () =>
        execute(`insert into realm_group_setting (realm_id, name, group_id)
          values ($1, 'can_access_all_users_group', ${MEMBERS_ID}) on conflict (realm_id, name) do update set group_id = excluded.group_id`),
      everybody,
    ],
    ['a new group', () => newGroup(ctx, olivia, { name: 'readers', members: [iago] }), everybody],
  ])('%s', async (_what, change, scope) => {
    await change();
    expect(told).toContainEqual(scope());
  });

  test('all that a transaction changes, at once, and not of a user beside all', async () => {
    await ctx.db.transaction(async (tx) => {
      await tx.query(`update api_key set revoked_at = now() where user_id = $1`, [iago.userId]);
      await tx.query(`update user_account set full_name = 'A' where id = $1`, [iago.userId]);
      await tx.query(`update user_account set full_name = 'B' where id = $1`, [olivia.userId]);
      expect(told).toEqual([]);
    });
    expect(told).toEqual([everybody()]);
  });

  test('what nobody else can see before it has answered', async () => {
    const seen: unknown[] = [];
    const watch = bus.connection.subscribe(`${bus.prefix}leases.watching`, {
      callback: async (_error, message) => {
        seen.push(...(await outside.query('select full_name from user_account where id = $1', [iago.userId])));
        message.respond();
      },
    });
    await bus.connection.flush();
    await hold('watching');
    await execute(`update user_account set full_name = 'Late' where realm_id = $1 and id = $2`);
    watch.unsubscribe();
    await holdLeases(ctx, { holderId: 'watching', isOver: true });
    expect(seen).toEqual([{ full_name: expect.not.stringMatching('Late') }]);
  });
});

test('the tables whose triggers end leases are named, so that each statement that writes them tells the holders', async () => {
  // Triggers that count, into lists that are leased, and those of readers, of organizations and of keys.
  const tables = await ctx.db.query<{ name: string }>(
    `select distinct c.relname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
     where p.proname in ('count_reader_change', 'count_subscription_change', 'count_reading_of_realm', 'end_leases_of_keys')
       or p.proname like 'count%' and encode(t.tgargs, 'escape') ~ '(^|000)(users|reading)\\\\' order by name`,
  );
  expect(tables.map(({ name }) => name)).toEqual(LEASED_TABLES);
});

test.each<[string, () => Promise<unknown>]>([
  ['a color', () => execute(`update subscription set color = '#000000' where realm_id = $1`)],
  ['presence', () => execute('delete from user_presence where realm_id = $1')],
  ['the folding of counts', () => foldListChanges(ctx.db)],
  ['a transaction that is rolled back', () => rolledBack()],
])('nobody is told of %s', async (_what, change) => {
  await change();
  expect(told).toEqual([]);
});

async function rolledBack(): Promise<void> {
  const failing = ctx.db.transaction(async (tx) => {
    await tx.query(`update user_account set full_name = 'A' where id = $1`, [iago.userId]);
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
}

describe('facts are leased', () => {
  test('when they are known', async () => {
    expect(await isLeased()).toBe(true);
    const { leaseMs } = await read(iago, { wantsLease: true });
    expect(leaseMs).toBeUndefined();
  });

  test('only to those who ask for a lease', async () => {
    const { version: knownVersion = '' } = await read(iago, {});
    const { isKnown, leaseMs } = await read(iago, { knownVersion });
    expect([isKnown, leaseMs]).toEqual([true, undefined]);
  });

  test('not while a transaction that has changed them is running', async () => {
    await ctx.db.transaction(async (tx) => {
      await tx.query('update api_key set revoked_at = now() where user_id = $1', [iago.userId]);
      expect([await isLeased(), await isLeased(olivia)]).toEqual([false, false]);
    });
    expect(await isLeased(olivia)).toBe(true);
  });

  test('not when a waiting period is about to end', async () => {
    const hoursAgo = (hours: number) =>
      execute(`update user_account set created_at = to_timestamp(${ctx.clock.now() - hours * 3600_000} / 1000.0)
        where realm_id = $1 and id = $2`);
    await execute(`update realm set settings = '{"waiting_period_threshold": 3}' where id = $1`);
    await hoursAgo(71.9);
    expect(await isLeased()).toBe(true);
    await hoursAgo(71.99);
    expect(await isLeased()).toBe(false);
    await hoursAgo(72.01);
    expect(await isLeased()).toBe(true);
  });

  test('not when the session is about to end', async () => {
    const [key] = await ctx.db.query<{ id: number }>('select id from api_key where user_id = $1', [iago.userId]);
    const withKey = () => ({ ...iago, credential: { apiKeyId: key?.id ?? 0, email: iago.email, isConfirmed: false } });
    const endsIn = (seconds: number) =>
      execute(`update api_key set expires_at = now() + interval '${seconds} s' where realm_id = $1 and user_id = $2`);
    await endsIn(50);
    expect(await isLeased(withKey())).toBe(false);
    await endsIn(100);
    expect(await isLeased(withKey())).toBe(true);
  });
});

describe('who does not answer', () => {
  test('is waited for until it is no holder any more, and meanwhile is none', async () => {
    await hold('silent');
    const begin = performance.now();
    const changing = execute(`update user_account set full_name = 'A' where realm_id = $1 and id = $2`);
    await until(async () => (await hold('silent')).lastsMs === undefined);
    expect((await hold()).lastsMs).toBeUndefined();
    await changing;
    // Two seconds after it became a holder for the last time.
    expect(performance.now() - begin).toBeGreaterThan(1_500);
    expect((await hold()).lastsMs).toBe(2_000);
  });

  test('and has not asked again does not delay anybody', async () => {
    await ctx.db.query(`insert into lease_holder values ('dead', now() - interval '1 ms')`);
    const begin = performance.now();
    await execute(`update user_account set full_name = 'A' where realm_id = $1 and id = $2`);
    expect(performance.now() - begin).toBeLessThan(1_000);
    expect(told).toEqual([everybody()]);
  });
});

describe('whatever the clock of the database server does', () => {
  test('who was no holder by it begins anew', async () => {
    expect((await hold()).hasBegun).toBe(false);
    await ctx.db.query(`update lease_holder set ends_at = clock_timestamp() where id = 'holder'`);
    expect(await hold()).toEqual({ lastsMs: 2_000, hasBegun: true });
    expect((await hold()).hasBegun).toBe(false);
  });

  test('a change waits for no longer than for a holder that has just asked, and once', async () => {
    await ctx.db.query(`insert into lease_holder values ('of later', now() + interval '1 hour')`);
    const durations: number[] = [];
    for (const name of ['A', 'B']) {
      const begin = performance.now();
      await execute(`update user_account set full_name = '${name}' where realm_id = $1 and id = $2`);
      durations.push(performance.now() - begin);
    }
    expect(Math.min(...durations)).toBe(durations[1]);
    expect(durations[0]).toBeLessThan(3_000);
    expect(durations[1]).toBeLessThan(1_000);
  });
});

test('a transaction that does not see who has become a holder since its beginning waits until nobody is one', async () => {
  await ctx.db.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read');
    await tx.query('select from lease_holder');
    await hold('new');
    const begin = performance.now();
    await tx.query(`update user_account set full_name = 'A' where id = $1`, [iago.userId]);
    expect(performance.now() - begin).toBeGreaterThan(1_900);
    expect((await hold('new')).lastsMs).toBeUndefined();
  });
});

test('renewals do not wait for one another', async () => {
  await ctx.db.query(`insert into lease_holder values ('away', now() - interval '2 minutes')`);
  await outside.transaction(async (tx) => {
    // As a renewal of its own does.
    await tx.query(`select from lease_holder where id = 'away' for update`);
    expect((await hold()).lastsMs).toBe(2_000);
  });
  await hold();
  expect(await ctx.db.query(`select from lease_holder where id = 'away'`)).toEqual([]);
});

describe('a change by others than realm', () => {
  const changeByHand = () =>
    outside.query(
      `set parley.lease_holders_must_be_told = off; update user_account set full_name = 'By hand' where id = ${iago.userId}`,
    );

  test('waits until nobody holds leases', async () => {
    const begin = performance.now();
    const changing = changeByHand();
    await until(async () => (await hold()).lastsMs === undefined);
    await changing;
    expect(performance.now() - begin).toBeGreaterThan(1_500);
    expect((await hold()).lastsMs).toBe(2_000);
  });

  test('does not wait when there are no holders', async () => {
    await holdLeases(ctx, { holderId: 'holder', isOver: true });
    const begin = performance.now();
    await changeByHand();
    expect(performance.now() - begin).toBeLessThan(1_000);
  });

  test('fails in tests', async () => {
    const change = outside.query(
      `set parley.lease_holders_must_be_told = on; update user_account set full_name = 'By hand'`,
    );
    await expect(change).rejects.toThrow('outside of a transaction that tells the holders');
  });
});

test('two who let all leases end do so one after the other', async () => {
  await ctx.db.transaction(async (tx) => {
    await awaitEndOfLeases(tx);
    const other = ctx.db.transaction(awaitEndOfLeases);
    await untilWaiting(outside, other);
    void other;
    expect((await hold()).lastsMs).toBeUndefined();
  });
  await until(async () => (await hold()).lastsMs === 2_000);
});

test('changes of an organization do not wait for one another', async () => {
  const away = await newUser(ctx, olivia);
  told = [];
  await ctx.db.transaction(async (tx) => {
    await tx.query(`update user_account set full_name = 'A' where id = $1`, [iago.userId]);
    await ctx.db.query(`update user_account set full_name = 'B' where id = $1`, [away.userId]);
  });
  expect(told).toEqual([everybody(), everybody()]);
});

import { silentLogger } from '@parley/shared/service';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { crowd, newOrganization, newUser, type Person } from '../../test/examples';
import { foldListChangesPeriodically } from './fold-list-changes';
import { type CountedList, changesOf, changesOfReader, foldListChanges } from './list-changes.sql';

const HOUR_MS = 3600_000;
const RENAME = `update user_account set full_name = full_name || '!' where realm_id = $1 and id = $2`;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

async function changes(list: CountedList): Promise<number> {
  const [row] = await ctx.db.query<{ sum: string }>(`select ${changesOf(list)} as sum`, [olivia.realmId]);
  return Number(row?.sum);
}

async function rowsOf({ realmId }: Person): Promise<number> {
  const rows = await ctx.db.query('select 1 from list_change where realm_id = $1 and backend <> 0', [realmId]);
  return rows.length;
}

test('transactions of one organization count at the same time, none waits for another', async () => {
  const [one, other] = [await newUser(ctx, olivia), await newUser(ctx, olivia)];
  const before = await changes('users');
  await ctx.db.transaction(async (first) => {
    await first.query(RENAME, [one.realmId, one.userId]);
    await ctx.db.transaction((second) => second.query(RENAME, [other.realmId, other.userId]));
    expect(await changes('users')).toBe(before + 1);
  });
  expect(await changes('users')).toBe(before + 2);
});

test('rolled-back changes are not counted, and a statement counts once, however many rows it changes', async () => {
  const before = await changes('users');
  const undo = new Error('undo');
  const undone = ctx.db.transaction(async (tx) => {
    await tx.query(RENAME, [olivia.realmId, olivia.userId]);
    throw undo;
  });
  await expect(undone).rejects.toBe(undo);
  expect(await changes('users')).toBe(before);
  await crowd(ctx, olivia, 50);
  expect(await changes('users')).toBe(before + 1);
});

test('a statement that changes the standing of many accounts counts once, and one that changes none not at all', async () => {
  await crowd(ctx, olivia, 50);
  const before = await changes('groups');
  const setRole = (role: string) =>
    ctx.db.query(`update user_account set role = ${role} where realm_id = $1 and id <> $2`, [
      olivia.realmId,
      olivia.userId,
    ]);
  await setRole('300');
  expect(await changes('groups')).toBe(before + 1);
  await setRole('role');
  expect(await changes('groups')).toBe(before + 1);
});

test('organizations count for themselves, those of one statement each', async () => {
  const other = await newOrganization(ctx);
  const before = await changes('users');
  await ctx.db.query(RENAME, [other.realmId, other.userId]);
  expect(await changes('users')).toBe(before);
  await ctx.db.query('update user_account set timezone = timezone where realm_id = any($1)', [
    [olivia.realmId, other.realmId],
  ]);
  expect(await changes('users')).toBe(before + 1);
});

test('folding keeps the sum and skips locked rows', async () => {
  await Promise.all([crowd(ctx, olivia, 2), crowd(ctx, olivia, 2)]);
  const before = await changes('users');
  await ctx.db.transaction(async (tx) => {
    await tx.query(RENAME, [olivia.realmId, olivia.userId]);
    await foldListChanges(ctx.db);
    expect(await changes('users')).toBe(before);
    expect(await rowsOf(olivia)).toBeLessThanOrEqual(1);
  });
  expect(await changes('users')).toBe(before + 1);
  await foldListChanges(ctx.db);
  expect([await changes('users'), await rowsOf(olivia)]).toEqual([before + 1, 0]);
});

test('the changes of a reader are folded alike', async () => {
  const mute = 'update subscription set is_muted = not is_muted where realm_id = $1 and user_id = $2';
  const version = async () =>
    (await ctx.db.query<{ sum: string }>(`select ${changesOfReader('$1', '$2')} as sum`, own))[0]?.sum;
  const own = [olivia.realmId, olivia.userId];
  const before = await version();
  await ctx.db.query(mute, own);
  const after = await version();
  expect(Number(after)).toBe(Number(before) + 1);
  await ctx.db.transaction(async (tx) => {
    await tx.query(mute, own);
    await foldListChanges(ctx.db);
    expect(await version()).toBe(after);
  });
  await foldListChanges(ctx.db);
  expect(Number(await version())).toBe(Number(after) + 1);
  const rows = await ctx.db.query('select backend from reader_change where realm_id = $1 and user_id = $2', own);
  expect(rows).toEqual([{ backend: 0 }]);
});

test('counting goes on while rows are folded: nothing is lost', async () => {
  const before = await changes('users');
  const rename = () => ctx.db.query(RENAME, [olivia.realmId, olivia.userId]);
  for (let round = 0; round < 10; round += 1) await Promise.all([rename(), foldListChanges(ctx.db), rename()]);
  expect(await changes('users')).toBe(before + 20);
});

test('is folded every hour until it is stopped', async () => {
  const stop = foldListChangesPeriodically({ db: ctx.db, clock: ctx.clock, log: silentLogger });
  ctx.clock.advance(HOUR_MS);
  await stop();
  expect(await rowsOf(olivia)).toBe(0);
  await crowd(ctx, olivia, 1);
  ctx.clock.advance(2 * HOUR_MS);
  expect(await rowsOf(olivia)).toBeGreaterThan(0);
});

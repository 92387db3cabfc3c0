import { unpurgedTables } from '@parley/shared/testing';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { crowd, newOrganization, newUser, type Person } from '../../test/examples';
import { KEPT_TABLES } from '../audit/audit.sql';
import { getRealm } from '../organization/change-organization';
import { listRealmsToPurge, purgeRealm } from './retention';
import { TABLES } from './retention.sql';

const DAY_MS = 24 * 3_600_000;

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const close = ({ realmId }: Person, deletedFromMs: number | null) =>
  ctx.db.query(
    'update realm set is_deactivated = true, deactivated_at = now(), data_deleted_from = to_timestamp($2 / 1000.0) where id = $1',
    [realmId, deletedFromMs],
  );

async function rowsOf({ realmId }: Person): Promise<number> {
  const tables = [...new Set(TABLES.map(({ table }) => table))];
  const counts = await Promise.all(
    tables.map((table) =>
      ctx.db.query<{ count: number }>(`select count(*) as count from ${table} where realm_id = $1`, [realmId]),
    ),
  );
  return counts.reduce((sum, [row]) => sum + (row?.count ?? 0), 0);
}

async function purge({ realmId }: Person): Promise<number[]> {
  const batches: number[] = [];
  for (;;) {
    const { deleted, isComplete } = await purgeRealm(ctx, { realmId });
    if (isComplete) return batches;
    batches.push(deleted);
  }
}

test('an organization is to be purged from the day on that was named when it was closed', async () => {
  const dueAtMs = ctx.clock.now() + DAY_MS;
  await close(olivia, dueAtMs);
  const open = await newOrganization(ctx);
  const keptForEver = await newOrganization(ctx);
  await close(keptForEver, null);
  expect((await listRealmsToPurge(ctx)).realmIds).toEqual([]);
  for (const { realmId } of [olivia, open, keptForEver]) {
    await expect(purgeRealm(ctx, { realmId })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  ctx.clock.advance(DAY_MS);
  expect((await listRealmsToPurge(ctx)).realmIds).toEqual([olivia.realmId]);
});

test('all of its data is deleted, in batches, except the row that keeps its subdomain; others lose nothing', async () => {
  const other = await newOrganization(ctx);
  const before = await rowsOf(other);
  await crowd(ctx, olivia, 1_500);
  const owner = await newUser(ctx, olivia);
  await ctx.db.query(
    `insert into user_account (realm_id, delivery_email, email, full_name, full_name_key, role, is_bot, bot_type, bot_owner_id, created_at)
     select $1, 'b' || i || '@x.example', 'b' || i || '@x.example', 'B', 'b', 400, true, 1, $2, now() from generate_series(1, 1200) i`,
    [olivia.realmId, owner.userId],
  );
  await close(olivia, ctx.clock.now());
  const rows = await rowsOf(olivia);
  const batches = await purge(olivia);
  // Counts of concurrent changes are deleted, too.
  expect(batches.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(rows);
  expect(Math.max(...batches)).toBe(1_000);
  expect(await rowsOf(olivia)).toBe(0);
  expect(await rowsOf(other)).toBe(before);
  expect((await listRealmsToPurge(ctx)).realmIds).not.toContain(olivia.realmId);
  expect(await getRealm(ctx, { subdomain: olivia.subdomain })).toMatchObject({ isDeactivated: true, name: '' });
  expect(await purge(olivia)).toEqual([]);
});

test('no table is forgotten', async () => {
  expect(await unpurgedTables(ctx.db, [...TABLES, ...KEPT_TABLES])).toEqual([]);
});

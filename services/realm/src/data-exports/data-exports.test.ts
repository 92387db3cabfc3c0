import type { DataExport, HeldDataExport } from '@parley/shared/proto';
import { announcedNotices } from '../../test/announced-notices';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { purgeRealm } from '../retention/retention';
import {
  claimDataExport,
  createDataExport,
  deleteDataExport,
  failDataExport,
  finishDataExport,
  forgetDataExports,
  getDataExport,
  LEASE_MS,
  listDataExports,
  listDoomedDataExports,
  renewDataExport,
} from './data-exports';

let ctx: TestContext;
let olivia: Person;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  await createDataExport(ctx, olivia, { kind: 'public' });
});
afterEach(() => ctx.db.query('update data_export set deleted_at = now(), path_id = null'));
afterAll(() => ctx.close());

async function claim(): Promise<HeldDataExport> {
  const { claimed } = await claimDataExport(ctx);
  return claimed?.held as HeldDataExport;
}

const only = async () => (await listDataExports(ctx, olivia)).exports[0];

test('one gateway works on it; after its crash another one takes over, and late calls of the first are ignored', async () => {
  const first = await claim();
  expect(first).toMatchObject({ realmId: olivia.realmId, attempt: 1 });
  expect(await claim()).toBeUndefined();
  ctx.clock.advance(LEASE_MS - 1);
  expect(await renewDataExport(ctx, first)).toEqual({ isHeld: true });
  ctx.clock.advance(LEASE_MS - 1);
  expect(await claim()).toBeUndefined();
  ctx.clock.advance(1);
  const second = await claim();
  expect(second).toMatchObject({ id: first.id, attempt: 2 });

  expect(await renewDataExport(ctx, first)).toEqual({ isHeld: false });
  expect(await finishDataExport(ctx, { held: first, size: 5 })).toEqual({ isHeld: false });
  expect(await failDataExport(ctx, { held: first, isInterrupted: false })).toEqual({ isHeld: false });
  expect(await failDataExport(ctx, { held: first, isInterrupted: true })).toEqual({ isHeld: false });
  expect(await only()).toMatchObject({ isPending: true });
  expect(await announcedNotices(ctx, olivia)).toEqual([]);

  expect(await finishDataExport(ctx, { held: second, size: 7 })).toEqual({ isHeld: true });
  const path = expect.stringMatching(/^\d+\/[0-9a-f]{1,2}\/[\w-]{24}\/2\/export\.tar\.gz$/);
  expect(await only()).toMatchObject({ isPending: false, size: 7, path });
  expect(await announcedNotices(ctx, olivia)).toMatchObject([{ to: { userIds: [olivia.userId] } }]);
  ctx.clock.advance(LEASE_MS);
  expect(await claim()).toBeUndefined();
});

test('finishing does not lock the organization while it waits for the export’s row', async () => {
  const held = await claim();
  const { finished } = await ctx.db.transaction(async (tx) => {
    await tx.query('select 1 from data_export where realm_id = $1 for update', [olivia.realmId]);
    const result = finishDataExport(ctx, { held, size: 7 });
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await ctx.db.query(waiting)).length === 0) await new Promise(setImmediate);
    await tx.query('select 1 from realm where id = $1 for no key update nowait', [olivia.realmId]);
    return { finished: result };
  });
  expect(await finished).toEqual({ isHeld: true });
});

test('it fails after three attempts, reported or abandoned; their files are deleted', async () => {
  await failDataExport(ctx, { held: await claim(), isInterrupted: false });
  expect(await claim()).toBeUndefined();
  ctx.clock.advance(60_000);
  await failDataExport(ctx, { held: await claim(), isInterrupted: false });
  ctx.clock.advance(60_000);
  const { attempt, id, realmId } = await claim();
  expect(attempt).toBe(3);
  expect(await listDoomedDataExports(ctx)).toEqual({ doomed: [] });
  ctx.clock.advance(LEASE_MS);
  expect(await claim()).toBeUndefined();
  expect(await only()).toMatchObject({ isPending: false, failedAtMs: ctx.clock.now() });
  const events = await publicEvents(ctx, olivia, 'realm_export');
  expect(events.at(-1)).toMatchObject({
    audience: { to: 'users', userIds: [olivia.userId] },
    event: { exports: [{ id, pending: false, export_url: null, failed_timestamp: ctx.clock.now() / 1_000 }] },
  });

  const { doomed } = await listDoomedDataExports(ctx);
  expect(doomed).toMatchObject([{ realmId, id }]);
  await forgetDataExports(ctx, { doomed });
  expect(await listDoomedDataExports(ctx)).toEqual({ doomed: [] });
});

test('an interrupted attempt does not count: the next one begins at once, however often', async () => {
  for (let stops = 0; stops < 4; stops += 1) {
    const held = await claim();
    expect(held).toMatchObject({ attempt: 1 });
    expect(await failDataExport(ctx, { held, isInterrupted: true })).toEqual({ isHeld: true });
  }
  expect(await only()).toMatchObject({ isPending: true });
});

test('five are made within a week, however they end', async () => {
  const create = () => createDataExport(ctx, olivia, { kind: 'consented' });
  for (let made = 1; made < 5; made += 1) await create();
  await expect(create()).rejects.toThrow('Exceeded rate limit.');
  ctx.clock.advance(7 * 24 * 3_600_000);
  await create();
});

test('the data of an organization is not deleted before its archives are', async () => {
  await finishDataExport(ctx, { held: await claim(), size: 7 });
  await ctx.db.query(
    'update realm set is_deactivated = true, data_deleted_from = to_timestamp($2 / 1000.0) where id = $1',
    [olivia.realmId, ctx.clock.now()],
  );
  const purge = () => purgeRealm(ctx, { realmId: olivia.realmId });
  while ((await purge()).deleted > 0);
  expect(await purge()).toEqual({ deleted: 0, isComplete: false });
  await forgetDataExports(ctx, await listDoomedDataExports(ctx));
  while (!(await purge()).isComplete);
});

test('an administrator deletes a finished one, once', async () => {
  const { realmId, id, ...held } = await claim();
  const remove = (exportId = id, who = olivia) => deleteDataExport(ctx, who, { exportId });
  const dan = await newUser(ctx, olivia);
  await expect(remove(id, dan)).rejects.toThrow('Must be an organization administrator');
  for (const unknownId of [0, id + 1, 2 ** 40]) {
    await expect(remove(unknownId)).rejects.toThrow('Invalid data export ID');
  }
  await expect(remove(id, await newOrganization(ctx))).rejects.toThrow('Invalid data export ID');
  await expect(remove()).rejects.toThrow('Export still in progress');
  await finishDataExport(ctx, { held: { realmId, id, ...held }, size: 7 });
  const { path } = (await only()) as DataExport;
  await remove();
  await expect(remove()).rejects.toMatchObject({ name: 'NothingToDoError', message: 'Export already deleted' });

  const deletedAtMs = ctx.clock.now();
  expect(await only()).toMatchObject({ isPending: false, deletedAtMs });
  await expect(getDataExport(ctx, olivia, { path: path as string })).rejects.toThrow('File not found');
  expect(await listDoomedDataExports(ctx)).toMatchObject({ doomed: [{ realmId, id }] });
  expect((await publicEvents(ctx, olivia, 'realm_export')).at(-1)).toMatchObject({
    audience: { to: 'users', userIds: [olivia.userId] },
    event: { exports: [{ id, pending: false, export_url: null, deleted_timestamp: deletedAtMs / 1_000 }] },
  });
});

test('of a failed one there is nothing to delete', async () => {
  const { id } = await claim();
  await ctx.db.query('update data_export set failed_at = now() where id = $1', [id]);
  await expect(deleteDataExport(ctx, olivia, { exportId: id })).rejects.toThrow('Export failed, nothing to delete');
});

import type { Caller } from '@parley/shared/rpc';
import { unpurgedTables } from '@parley/shared/testing';
import { DAY_MS, newCast, openContext, sending, type TestContext, terms } from '../../test/examples';
import { deleteEndedInvitations, purgeRealm } from './end-invitations';
import { TABLES } from './ended-invitations.sql';
import { createInvitationLink } from './invitation-links';
import { listInvitations, revokeInvitation } from './invitations';
import { sendInvitations } from './send-invitations';

let ctx: TestContext;
let cast: ReturnType<typeof newCast>;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(() => {
  cast = newCast();
});
afterAll(() => ctx.close());

const list = async (caller: Caller) => (await listInvitations(ctx, caller)).invitations;

async function countOf(table: string): Promise<number> {
  const [row] = await ctx.db.query<{ count: number }>(`select count(*) as count from ${table} where realm_id = $1`, [
    cast.realmId,
  ]);
  return row?.count ?? 0;
}

const counts = async () => ({
  invitations: await countOf('invitation'),
  links: await countOf('invitation_link'),
  keys: await countOf('invitation_key'),
  mails: await countOf('mail_job'),
});

async function clean(): Promise<void> {
  while (!(await deleteEndedInvitations(ctx)).isComplete);
}

test('invitations and links are forgotten a month after their end, with their keys and mails', async () => {
  await sendInvitations(ctx, cast.hamlet, sending('eve@x.example', { validMinutes: 60 }));
  await sendInvitations(ctx, cast.hamlet, sending('fay@x.example', { isValidForEver: true }));
  await createInvitationLink(ctx, cast.hamlet, { terms: terms({ validMinutes: 60 }) });
  await createInvitationLink(ctx, cast.hamlet, { terms: terms({ isValidForEver: true }) });
  const before = await counts();
  expect(before).toMatchObject({ invitations: 2, links: 2, keys: 4 });
  ctx.clock.advance(30 * DAY_MS + 60 * 60_000);
  await clean();
  expect(await counts()).toEqual(before);
  ctx.clock.advance(1);
  await clean();
  expect(await counts()).toMatchObject({ invitations: 1, links: 1, keys: 2, mails: 1 });
  expect(await list(cast.hamlet)).toHaveLength(2);
});

test('revoked and used invitations are deleted, too; those in acceptance are not', async () => {
  await sendInvitations(ctx, cast.hamlet, sending('eve@x.example, fay@x.example', { isValidForEver: true }));
  const [revoked, accepting] = (await list(cast.hamlet)).map(({ id }) => id) as [number, number];
  await revokeInvitation(ctx, cast.hamlet, { invitationId: revoked });
  await ctx.db.query(
    `update invitation set state = 'accepting', accepting_since = now() where realm_id = $1 and id = $2`,
    [cast.realmId, accepting],
  );
  ctx.clock.advance(31 * DAY_MS);
  await clean();
  expect(await counts()).toMatchObject({ invitations: 1, keys: 1 });
  await ctx.db.query(`update invitation set state = 'used' where realm_id = $1`, [cast.realmId]);
  await clean();
  expect(await counts()).toMatchObject({ invitations: 0, keys: 0 });
});

test('of an organization whose data is deleted nothing stays', async () => {
  const other = newCast();
  for (const caller of [cast.hamlet, other.hamlet]) {
    await sendInvitations(ctx, caller, sending('eve@x.example'));
    await createInvitationLink(ctx, caller, { terms: terms() });
  }
  const { realmId } = cast;
  expect((await purgeRealm(ctx, { realmId })).isComplete).toBe(false);
  expect(await purgeRealm(ctx, { realmId })).toEqual({ deleted: 0, isComplete: true });
  expect(await counts()).toEqual({ invitations: 0, links: 0, keys: 0, mails: 0 });
  expect(await list(other.hamlet)).toHaveLength(2);
  expect(await unpurgedTables(ctx.db, TABLES)).toEqual([]);
});

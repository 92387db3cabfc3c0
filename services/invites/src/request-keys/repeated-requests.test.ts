import { DAY_MS, mails, newCast, openContext, sending, type TestContext, terms } from '../../test/examples';
import { deleteEndedInvitations } from '../invitations/end-invitations';
import { createInvitationLink, revokeInvitationLink } from '../invitations/invitation-links';
import { listInvitations } from '../invitations/invitations';
import { sendInvitations } from '../invitations/send-invitations';

let ctx: TestContext;
let cast: ReturnType<typeof newCast>;

beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(() => {
  ctx.realmFacts = {};
  cast = newCast();
});
afterAll(() => ctx.close());

const invite = (key: string, caller = cast.hamlet) =>
  sendInvitations(ctx, caller, { ...sending('eve@x.example, fay@x.example'), idempotencyKey: key });
const link = (key: string, caller = cast.hamlet) =>
  createInvitationLink(ctx, caller, { terms: terms(), idempotencyKey: key });
const invitations = async () => (await listInvitations(ctx, cast.olivia)).invitations;

test('invitations that are sent again with their key are sent once, at any later time', async () => {
  await Promise.all([invite('k'), invite('k'), invite('k')]);
  await invite('k');
  expect(await invitations()).toHaveLength(2);
  expect(await mails(ctx, cast.realmId)).toHaveLength(4);
});

test('skipped addresses are reported again', async () => {
  ctx.realmFacts = { addresses: { 'eve@x.example': { objection: '', holder: 'active' } } };
  const skipped = [['eve@x.example', 'Already has an account.', false]];
  const expected = { code: 'INVITATION_FAILED', fields: expect.objectContaining({ errors: skipped }) };
  await expect(invite('k')).rejects.toMatchObject(expected);
  ctx.realmFacts = {};
  await expect(invite('k')).rejects.toMatchObject(expected);
  expect(await invitations()).toHaveLength(1);
});

test('a link requested again with the same key is the same one', async () => {
  const urls = await Promise.all([link('k'), link('k')]);
  urls.push(await link('k'));
  expect(new Set(urls.map(({ url }) => url)).size).toBe(1);
  expect(await invitations()).toHaveLength(1);
});

test('a link that was revoked in between is not given out again', async () => {
  await link('k');
  const [made] = await invitations();
  await revokeInvitationLink(ctx, cast.hamlet, { linkId: made?.id as number });
  const keys = () => ctx.db.query('select 1 from invitation_key where realm_id = $1', [cast.realmId]);
  expect(await keys()).toEqual([]);
  await expect(link('k')).rejects.toThrow('Invitation has already been revoked');
  expect(await keys()).toEqual([]);
});

test('a refused request is not stored as the first answer', async () => {
  ctx.realmFacts = { mayCreateLinks: false, mayInvite: false };
  await expect(link('k')).rejects.toThrow();
  await expect(invite('k')).rejects.toThrow();
  ctx.realmFacts = {};
  await link('k');
  await invite('k');
  expect(await invitations()).toHaveLength(3);
});

test('another key, another user’s and another day’s are others', async () => {
  await link('k');
  await link('other');
  await link('k', cast.olivia);
  ctx.clock.advance(DAY_MS + 1);
  await link('k');
  expect(await invitations()).toHaveLength(4);
});

test('keys are forgotten after a day, and must not be too long', async () => {
  await link('k');
  ctx.clock.advance(DAY_MS + 1);
  while (!(await deleteEndedInvitations(ctx)).isComplete);
  expect(await ctx.db.query('select 1 from request_key')).toEqual([]);
  await expect(link('x'.repeat(201))).rejects.toThrow('Invalid Idempotency-Key');
});

test('a key that is used again for another request is refused, also at once, and nothing is made', async () => {
  const reused = { code: 'IDEMPOTENCY_KEY_REUSED', httpStatus: 400 };
  const other = { ...sending('gil@x.example'), idempotencyKey: 'k' };
  await invite('k');
  await expect(sendInvitations(ctx, cast.hamlet, other)).rejects.toMatchObject(reused);
  const silently = { ...sending('eve@x.example, fay@x.example'), notifiesReferrer: false, idempotencyKey: 'k' };
  await expect(sendInvitations(ctx, cast.hamlet, silently)).rejects.toMatchObject(reused);
  await invite('k');
  expect(await invitations()).toHaveLength(2);

  const linkFor = (validMinutes: number) =>
    createInvitationLink(ctx, cast.hamlet, { terms: { ...terms(), validMinutes }, idempotencyKey: 'k' });
  const outcomes = await Promise.allSettled([linkFor(10), linkFor(20)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  for (const outcome of outcomes) if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(reused);
  expect(await invitations()).toHaveLength(3);
});

test('answers of the version before are understood, and it understands ours', async () => {
  await link('ours');
  const [ours] = await ctx.db.query<{ link: number; skipped: unknown }>(
    `select link_id as link, skipped from request_key where realm_id = $1 and key = 'ours'`,
    [cast.realmId],
  );
  const [made] = await invitations();
  expect(ours).toEqual({ link: made?.id, skipped: [] });
  const store = (createdAt: string) =>
    ctx.db.query(
      `insert into request_key (realm_id, user_id, kind, key, link_id, skipped, created_at) values ($1, $2, 'link', 'theirs', $3, '[]', ${createdAt})
       on conflict (realm_id, user_id, kind, key) do update
       set link_id = excluded.link_id, skipped = excluded.skipped, created_at = excluded.created_at`,
      [cast.realmId, cast.hamlet.userId, made?.id],
    );
  await store('to_timestamp(0)');
  await ctx.db.query(`update request_key set link_id = 0 where realm_id = $1 and key = 'theirs'`, [cast.realmId]);
  await store('now()');
  const kept = await ctx.db.query(`select answer from request_key where realm_id = $1 and key = 'theirs'`, [
    cast.realmId,
  ]);
  expect(kept).toEqual([{ answer: { linkId: made?.id, skipped: [] } }]);
});

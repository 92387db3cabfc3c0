import { UserDeactivatedError } from '@parley/shared/errors';
import type { Caller } from '@parley/shared/rpc';
import { observed, rowsReadIn } from '@parley/shared/testing';
import {
  announced,
  DAY_MS,
  HAMLET_ID,
  mails,
  newCast,
  OLIVIA_ID,
  openContext,
  sending,
  type TestContext,
  terms,
  testConfig,
} from '../../test/examples';
import type { Context } from '../context';
import { endInvitationsAboveRoles, endInvitationsOfRealm, endInvitationsOfUsers } from './end-invitations';
import { createInvitationLink, revokeInvitationLink } from './invitation-links';
import { listInvitations, resendInvitation, revokeInvitation } from './invitations';
import { listOpenInvitations, revokeInvitationsOf } from './invitations.sql';
import { sendInvitations } from './send-invitations';

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

const NONE = { code: 'BAD_REQUEST', message: 'No such invitation' };
const list = async (caller: Caller) => (await listInvitations(ctx, caller)).invitations;
const idsOf = async (caller: Caller) => (await list(caller)).map(({ id }) => id);

async function invite(caller: Caller, email = 'eve@x.example', wanted = {}): Promise<number> {
  await sendInvitations(ctx, caller, sending(email, wanted));
  return (await list(caller)).filter((invitation) => invitation.email === email).at(-1)?.id as number;
}

async function makeLink(caller: Caller, wanted = {}): Promise<{ id: number; url: string }> {
  const { url } = await createInvitationLink(ctx, caller, { terms: terms(wanted) });
  return { url, id: (await list(caller)).at(-1)?.id as number };
}

const countKeys = async () => {
  const rows = await ctx.db.query('select 1 from invitation_key where realm_id = $1', [cast.realmId]);
  return rows.length;
};

describe('the list', () => {
  test('is of one’s own invitations, for administrators of everybody’s', async () => {
    const own = await invite(cast.hamlet);
    const others = await invite(cast.olivia, 'fay@x.example');
    expect(await idsOf(cast.hamlet)).toEqual([own]);
    expect(await idsOf(cast.olivia)).toEqual([own, others]);
    expect(await list(newCast().olivia)).toEqual([]);
  });

  test('ends with what expires', async () => {
    await invite(cast.hamlet, 'eve@x.example', { validMinutes: 60 });
    await makeLink(cast.hamlet, { validMinutes: 60 });
    ctx.clock.advance(60 * 60_000 - 1);
    expect(await list(cast.hamlet)).toHaveLength(2);
    ctx.clock.advance(1);
    expect(await list(cast.hamlet)).toEqual([]);
  });

  test('shows the URL of a link as returned by its creation', async () => {
    const { id, url } = await makeLink(cast.hamlet, { isValidForEver: true });
    expect(url).toMatch(/^https:\/\/acme\.chat\.example\/join\/[a-z2-7]{24}\/$/);
    const common = { id, referrerId: HAMLET_ID, createdAtMs: ctx.clock.now(), invitedAs: 400 };
    expect(await list(cast.hamlet)).toEqual([{ ...common, notifiesReferrer: false, linkUrl: url }]);
  });

  test('gives a link one key more when the secret is another one', async () => {
    const { id, url } = await makeLink(cast.hamlet);
    const changed = {
      ...ctx,
      config: testConfig({ INVITATION_KEY_SECRET: 'a secret of another day, as long as this' }),
    };
    const { invitations } = await listInvitations(changed, cast.hamlet);
    expect(invitations).toMatchObject([{ id, linkUrl: expect.not.stringContaining(url) }]);
    expect((await listInvitations(changed, cast.hamlet)).invitations).toEqual(invitations);
    expect(await countKeys()).toBe(2);
  });
});

describe('a reusable link', () => {
  test.each([
    ['without the right', { mayCreateLinks: false }, {}, 'Insufficient permission'],
    ['for more than one is', {}, { invitedAs: 300 }, 'Must be an organization administrator'],
    ['with words of one’s own', {}, { welcomeText: '' }, 'Must be an organization administrator'],
    ['with channels that are not there', {}, { channelIds: [5] }, 'Invalid channel ID 5. No invites were sent.'],
  ])('is not made %s', async (_what, realmFacts, wanted, message) => {
    ctx.realmFacts = realmFacts;
    await expect(createInvitationLink(ctx, cast.hamlet, { terms: terms(wanted) })).rejects.toMatchObject({ message });
    expect(await announced(ctx, cast.realmId)).toEqual([]);
  });

  test('is revoked once', async () => {
    const { id } = await makeLink(cast.hamlet);
    await revokeInvitationLink(ctx, cast.hamlet, { linkId: id });
    expect(await list(cast.hamlet)).toEqual([]);
    expect(await countKeys()).toBe(0);
    await expect(revokeInvitationLink(ctx, cast.hamlet, { linkId: id })).rejects.toMatchObject({
      name: 'NothingToDoError',
      message: 'Invitation has already been revoked',
    });
    await expect(revokeInvitationLink(ctx, newCast().olivia, { linkId: id })).rejects.toMatchObject(NONE);
    expect(await announced(ctx, cast.realmId)).toHaveLength(2);
  });

  test('has an id among the links, not among the invitations', async () => {
    const { id } = await makeLink(cast.hamlet);
    await expect(revokeInvitation(ctx, cast.hamlet, { invitationId: id + 100_000 })).rejects.toMatchObject(NONE);
    await expect(revokeInvitationLink(ctx, cast.hamlet, { linkId: id + 100_000 })).rejects.toMatchObject(NONE);
  });
});

describe('revoking an invitation', () => {
  test('ends it, its key and its mails', async () => {
    const id = await invite(cast.hamlet);
    await revokeInvitation(ctx, cast.olivia, { invitationId: id });
    expect(await list(cast.hamlet)).toEqual([]);
    expect([await mails(ctx, cast.realmId), await countKeys()]).toEqual([[], 0]);
    await expect(revokeInvitation(ctx, cast.hamlet, { invitationId: id })).rejects.toMatchObject(NONE);
    expect(await announced(ctx, cast.realmId)).toEqual([
      [OLIVIA_ID, HAMLET_ID],
      [OLIVIA_ID, HAMLET_ID],
    ]);
  });

  test('is allowed for the sender and for administrators', async () => {
    const id = await invite(cast.olivia);
    await expect(revokeInvitation(ctx, cast.hamlet, { invitationId: id })).rejects.toMatchObject({
      message: 'Must be an organization administrator',
    });
    await expect(revokeInvitation(ctx, newCast().olivia, { invitationId: id })).rejects.toMatchObject(NONE);
  });

  test('happens once among concurrent calls', async () => {
    const invitationId = await invite(cast.hamlet);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => revokeInvitation(ctx, cast.olivia, { invitationId })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await announced(ctx, cast.realmId)).toHaveLength(2);
  });
});

describe('sending an invitation again', () => {
  test('makes it valid for as long again, with one mail more and one reminder', async () => {
    const invitationId = await invite(cast.hamlet);
    ctx.clock.advance(9 * DAY_MS);
    await resendInvitation(ctx, cast.hamlet, { invitationId });
    const nowMs = ctx.clock.now();
    expect(await list(cast.hamlet)).toMatchObject([{ id: invitationId, expiresAtMs: nowMs + 10 * DAY_MS }]);
    expect(await mails(ctx, cast.realmId)).toMatchObject([
      { template: 'invitation', dueAtMs: nowMs - 9 * DAY_MS },
      { template: 'invitation', dueAtMs: nowMs },
      { template: 'invitation-reminder', dueAtMs: nowMs + 8 * DAY_MS },
    ]);
    expect(await announced(ctx, cast.realmId)).toHaveLength(1);
    const acts = await ctx.db.query<{ payload: string }>(
      `select payload from outbox where realm_id = $1 and kind = 'act.performed'`,
      [cast.realmId],
    );
    const { userId: id, requestId } = cast.hamlet;
    const act = { name: 'resend-invitation', actor: { kind: 'user', id }, requestId };
    expect(acts.map(({ payload }) => JSON.parse(payload))).toEqual([
      { ...act, kind: 'invitation', ids: [invitationId] },
    ]);
  });

  test('is too late when it has expired', async () => {
    const invitationId = await invite(cast.hamlet);
    ctx.clock.advance(10 * DAY_MS);
    await expect(resendInvitation(ctx, cast.hamlet, { invitationId })).rejects.toMatchObject(NONE);
    await expect(revokeInvitation(ctx, cast.hamlet, { invitationId })).rejects.toMatchObject(NONE);
  });

  test('counts as one more of the day', async () => {
    const invitationId = await invite(cast.hamlet);
    const limited = { ...ctx, config: testConfig({ INVITATIONS_PER_DAY: '2' }) };
    await resendInvitation(limited, cast.hamlet, { invitationId });
    await expect(resendInvitation(limited, cast.hamlet, { invitationId })).rejects.toMatchObject({
      code: 'INVITATION_FAILED',
      fields: { daily_limit_reached: true },
    });
  });

  test('is not for others', async () => {
    const invitationId = await invite(cast.olivia);
    await expect(resendInvitation(ctx, cast.hamlet, { invitationId })).rejects.toMatchObject({
      message: 'Must be an organization administrator',
    });
    expect(await mails(ctx, cast.realmId)).toHaveLength(2);
  });
});

describe('after a change of the inviter’s role', () => {
  const changed = (role: number) => ({
    id: `realm:${role}`,
    realmId: cast.realmId,
    payload: { userId: HAMLET_ID, role },
  });
  const change = (role: number) => endInvitationsAboveRoles(ctx, [changed(role) as never]);

  test('what gives a higher role is revoked, once; the rest stays', async () => {
    ctx.realmFacts = { actor: { role: 200 } };
    await invite(cast.hamlet, 'admin@x.example', { invitedAs: 200 });
    await createInvitationLink(ctx, cast.hamlet, { terms: terms({ invitedAs: 300 }) });
    const kept = await invite(cast.hamlet, 'fay@x.example');
    const others = await invite(cast.olivia, 'gus@x.example', { invitedAs: 200 });
    await change(200);
    expect(await list(cast.olivia)).toHaveLength(4);
    for (let time = 1; time <= 2; time += 1) await change(400);
    expect(await idsOf(cast.olivia)).toEqual([kept, others]);
    expect(await countKeys()).toBe(2);
    expect((await mails(ctx, cast.realmId)).map(({ recipient }) => recipient)).not.toContain('admin@x.example');
    expect((await announced(ctx, cast.realmId)).slice(4)).toEqual([[OLIVIA_ID, HAMLET_ID]]);
  });

  test('a guest’s are all revoked: guests invite nobody', async () => {
    await invite(cast.hamlet, 'eve@x.example', { invitedAs: 600 });
    await makeLink(cast.hamlet);
    await change(600);
    expect(await list(cast.olivia)).toEqual([]);
  });
});

describe('when an account is out of use', () => {
  const deactivated = (userId: number) => ({ id: 'realm:1', realmId: cast.realmId, payload: { userId } as never });

  test('its invitations are revoked, and administrators are notified once', async () => {
    await invite(cast.hamlet);
    await makeLink(cast.hamlet);
    const others = await invite(cast.olivia, 'fay@x.example');
    for (let time = 1; time <= 2; time += 1) await endInvitationsOfUsers(ctx, [deactivated(HAMLET_ID)]);
    expect(await idsOf(cast.olivia)).toEqual([others]);
    expect(await mails(ctx, cast.realmId)).toMatchObject([
      { recipient: 'fay@x.example' },
      { recipient: 'fay@x.example' },
    ]);
    expect((await announced(ctx, cast.realmId)).slice(3)).toEqual([[OLIVIA_ID]]);
  });

  test('its concurrent invitations are refused until it is reactivated', async () => {
    const { getInviteFacts } = ctx.services.realm;
    const ending: Context = {
      ...ctx,
      services: {
        realm: {
          ...ctx.services.realm,
          // The account is deactivated, and this service is notified, between realm's answer and the next step.
          async getInviteFacts(call, request) {
            const facts = await getInviteFacts(call, request);
            await endInvitationsOfUsers(ctx, [deactivated(HAMLET_ID)]);
            ending.services.realm.getInviteFacts = () => Promise.reject(new UserDeactivatedError());
            return facts;
          },
        },
      },
    };
    await expect(sendInvitations(ending, cast.hamlet, sending('eve@x.example'))).rejects.toThrow(UserDeactivatedError);
    await expect(createInvitationLink(ending, cast.hamlet, { terms: terms() })).rejects.toThrow(UserDeactivatedError);
    expect(await list(cast.olivia)).toEqual([]);
    await invite(cast.hamlet);
    await makeLink(cast.hamlet);
    expect(await list(cast.olivia)).toHaveLength(2);
  });

  test('a deactivated organization loses all of its invitations, and no others', async () => {
    const stranger = newCast();
    await invite(stranger.hamlet);
    await invite(cast.hamlet);
    await makeLink(cast.olivia);
    const closed = { id: 'realm:2', realmId: cast.realmId, payload: { realmId: cast.realmId } };
    await endInvitationsOfRealm(ctx, [closed]);
    expect(await list(cast.olivia)).toEqual([]);
    expect(await countKeys()).toBe(0);
    expect(await list(stranger.olivia)).toHaveLength(1);
  });
});

test('a member’s list, and its end, read their own invitations, of however many', async () => {
  const own = await invite(cast.hamlet);
  await ctx.db.query(
    `insert into invitation (realm_id, email, email_key, referrer_id, invited_as, channel_ids, group_ids, includes_default_channels,
       notifies_referrer, created_at)
     select $1, n || '@z.example', n || '@z.example', $2 + n, 400, '{}', '{}', true, true, now() from generate_series(1, 5000) n`,
    [cast.realmId, 10_000],
  );
  await ctx.db.query('vacuum analyze invitation');
  const { sql, plans } = observed(ctx.db);
  const listed = await listOpenInvitations(sql, cast.realmId, ctx.clock.now(), HAMLET_ID);
  expect(listed.map(({ id }) => id)).toEqual([own]);
  await revokeInvitationsOf(sql, { realmId: cast.realmId, referrerIds: [HAMLET_ID], higherThanRole: null });
  expect(await idsOf(cast.hamlet)).toEqual([]);
  expect(rowsReadIn(plans)).toBeLessThan(50);
});

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
  testConfig,
} from '../../test/examples';
import { showKeys } from '../keys/invitation-keys';
import { listInvitations } from './invitations';
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

const emailsOf = async () => (await listInvitations(ctx, cast.olivia)).invitations.map(({ email }) => email);

const failure = (message: string, fields: object = {}) =>
  expect.objectContaining({
    code: 'INVITATION_FAILED',
    httpStatus: 400,
    message,
    fields: {
      errors: [],
      sent_invitations: false,
      daily_limit_reached: false,
      license_limit_reached: false,
      ...fields,
    },
  });

describe('sending invitations', () => {
  test('makes one for each address, a mail and a reminder two days before its end', async () => {
    ctx.realmFacts = { channels: [{ id: 3, isDefault: true, mayAddSubscribers: false }] };
    await sendInvitations(ctx, cast.hamlet, sending('Eve <eve@x.example>, fay@x.example', { channelIds: [3, 3] }));
    const nowMs = ctx.clock.now();
    const common = { referrerId: HAMLET_ID, createdAtMs: nowMs, expiresAtMs: nowMs + 10 * DAY_MS, invitedAs: 400 };
    expect((await listInvitations(ctx, cast.hamlet)).invitations).toEqual([
      { id: expect.any(Number), ...common, notifiesReferrer: true, email: 'eve@x.example' },
      { id: expect.any(Number), ...common, notifiesReferrer: true, email: 'fay@x.example' },
    ]);
    expect(await mails(ctx, cast.realmId)).toEqual([
      { template: 'invitation', recipient: 'eve@x.example', dueAtMs: nowMs },
      { template: 'invitation', recipient: 'fay@x.example', dueAtMs: nowMs },
      { template: 'invitation-reminder', recipient: 'eve@x.example', dueAtMs: nowMs + 8 * DAY_MS },
      { template: 'invitation-reminder', recipient: 'fay@x.example', dueAtMs: nowMs + 8 * DAY_MS },
    ]);
    expect(await announced(ctx, cast.realmId)).toEqual([[OLIVIA_ID, HAMLET_ID]]);
  });

  test('stores no key, but its hash', async () => {
    await sendInvitations(ctx, cast.hamlet, sending('eve@x.example'));
    const [invitation] = (await listInvitations(ctx, cast.hamlet)).invitations;
    const { realmId } = cast;
    const id = invitation?.id as number;
    const key = (await showKeys(ctx, { realmId, kind: 'invitation', ids: [id] })).get(id) as string;
    const dump = await ctx.db.query<{ row: string }>(
      `select row_to_json(k)::text as row from invitation_key k where realm_id = $1
       union all select row_to_json(m)::text from mail_job m where realm_id = $1
       union all select row_to_json(i)::text from invitation i where realm_id = $1`,
      [realmId],
    );
    expect(dump.length).toBeGreaterThan(2);
    const hex = Buffer.from(key).toString('hex');
    expect(dump.some(({ row }) => row.includes(key) || row.includes(hex))).toBe(false);
  });

  test.each([
    ['as long as the server is set', {}, 10 * DAY_MS, 2],
    ['three days: there is no reminder', { validMinutes: 3 * 24 * 60 }, 3 * DAY_MS, 1],
    ['four days', { validMinutes: 4 * 24 * 60 }, 4 * DAY_MS, 2],
    ['for ever', { isValidForEver: true, validMinutes: 1 }, null, 1],
  ])('an invitation is valid %s', async (_what, wanted, lifeMs, mailCount) => {
    await sendInvitations(ctx, cast.hamlet, sending('eve@x.example', wanted));
    const [invitation] = (await listInvitations(ctx, cast.hamlet)).invitations;
    expect(invitation?.expiresAtMs).toBe(lifeMs === null ? undefined : ctx.clock.now() + lifeMs);
    expect(await mails(ctx, cast.realmId)).toHaveLength(mailCount);
  });

  test('one invalid address refuses the whole request', async () => {
    ctx.realmFacts = {
      addresses: { 'f@': { objection: 'invalid', holder: '' }, 'g@x.example': { objection: '', holder: 'active' } },
    };
    await expect(sendInvitations(ctx, cast.hamlet, sending('g@x.example,f@,e@x.example'))).rejects.toEqual(
      failure("Some emails did not validate, so we didn't send any invitations.", {
        errors: [
          ['f@', 'Invalid address.', false],
          ['g@x.example', 'Already has an account.', false],
        ],
      }),
    );
    expect(await emailsOf()).toEqual([]);
  });

  test('those with accounts are left out', async () => {
    ctx.realmFacts = { addresses: { 'g@x.example': { objection: '', holder: 'deactivated' } } };
    await expect(sendInvitations(ctx, cast.hamlet, sending('g@x.example,e@x.example'))).rejects.toEqual(
      failure(
        "Some of those addresses are already using Parley, so we didn't send them an invitation. " +
          'We did send invitations to everyone else!',
        { errors: [['g@x.example', 'Account has been deactivated.', true]], sent_invitations: true },
      ),
    );
    expect(await emailsOf()).toEqual(['e@x.example']);
    await expect(sendInvitations(ctx, cast.hamlet, sending('g@x.example'))).rejects.toEqual(
      failure("We weren't able to invite anyone.", {
        errors: [['g@x.example', 'Account has been deactivated.', true]],
      }),
    );
  });

  test('new accounts do not invite to organizations that anybody may join', async () => {
    ctx.realmFacts = { isInviteRequired: false, actor: { joinedAtMs: ctx.clock.now() } };
    await expect(sendInvitations(ctx, cast.hamlet, sending('e@x.example'))).rejects.toEqual(
      failure(
        'Your account is too new to send invites for this organization. ' +
          'Ask an organization admin, or a more experienced user.',
      ),
    );
    expect(await emailsOf()).toEqual([]);
  });

  // Each step corrects the error that was reported in the step before.
  test('refuses in order', async () => {
    const everything = { invitedAs: 200, welcomeText: 'Hi', channelIds: [9], groupIds: [9] };
    const refuses = async (emails: string, wanted: object, message: string) =>
      expect(sendInvitations(ctx, cast.hamlet, sending(emails, wanted))).rejects.toMatchObject({ message });
    ctx.realmFacts = { mayInvite: false };
    await refuses('', everything, 'Insufficient permission');
    ctx.realmFacts = {};
    await refuses('', everything, 'Must be an organization administrator');
    await refuses('', { ...everything, invitedAs: 400 }, 'Must be an organization administrator');
    const { welcomeText, ...rest } = { ...everything, invitedAs: 400 };
    await refuses(' , \n', rest, 'You must specify at least one email address.');
    await refuses('e@x.example', rest, 'Invalid channel ID 9. No invites were sent.');
    await refuses('e@x.example', { ...rest, channelIds: [] }, 'Invalid user group');
    const many = Array.from({ length: 1_001 }, (_, index) => `e${index}@x.example`).join();
    await refuses(many, {}, 'Too many email addresses (limit: 1000)');
    expect(await announced(ctx, cast.realmId)).toEqual([]);
  });
});

describe('the daily limit', () => {
  const limited = () => ({ ...ctx, config: testConfig({ INVITATIONS_PER_DAY: '3' }) });
  const reached = failure(
    'To protect users, Parley limits the number of invitations you can send in one day. ' +
      'Because you have reached the limit, no invitations were sent.',
    { daily_limit_reached: true },
  );

  test('counts mails by the day of UTC, and refuses before addresses are looked at', async () => {
    ctx.realmFacts = { addresses: { 'f@': { objection: 'invalid', holder: '' } } };
    await sendInvitations(limited(), cast.hamlet, sending('a@x.example,b@x.example'));
    await expect(sendInvitations(limited(), cast.olivia, sending('c@x.example,f@'))).rejects.toEqual(reached);
    await sendInvitations(limited(), cast.olivia, sending('c@x.example'));
    await expect(sendInvitations(limited(), cast.olivia, sending('d@x.example'))).rejects.toEqual(reached);
    ctx.clock.advance(DAY_MS);
    await sendInvitations(limited(), cast.olivia, sending('d@x.example'));
    expect(await emailsOf()).toHaveLength(4);
  });

  test('applies to concurrent requests to several replicas', async () => {
    const senders = Array.from({ length: 8 }, (_, index) =>
      sendInvitations(limited(), cast.hamlet, sending(`e${index}@x.example`)),
    );
    const outcomes = await Promise.allSettled(senders);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect(await emailsOf()).toHaveLength(3);
    expect(await announced(ctx, cast.realmId)).toHaveLength(3);
  });
});

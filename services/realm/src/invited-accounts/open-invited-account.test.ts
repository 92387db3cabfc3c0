import type { OpenInvitedAccountRequest } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { ROLES } from '@parley/shared/values';
import { announcedNotices } from '../../test/announced-notices';
import {
  channelIds,
  newGroup,
  newOrganization,
  newUser,
  openContext,
  type Person,
  type TestContext,
} from '../../test/examples';
import { getOwnUser } from '../accounts/get-own-user';
import { addUser } from '../users/add-user';
import { deactivateUser } from '../users/deactivate-user';
import { updateUser } from '../users/update-user';
import { findInvitedAccount, getAcceptanceFacts, openInvitedAccount } from './open-invited-account';

const PASSWORD = 'correct horse battery staple';

let ctx: TestContext;
let owner: Person;
let lastId = 0;
beforeAll(async () => {
  ctx = await openContext();
});
beforeEach(async () => {
  owner = await newOrganization(ctx);
});
afterAll(() => ctx.close());

function invited(wanted: Partial<OpenInvitedAccountRequest> = {}): OpenInvitedAccountRequest {
  lastId += 1;
  return {
    realmId: owner.realmId,
    invitationId: lastId,
    referrerId: owner.userId,
    notifiesReferrer: true,
    role: ROLES.member,
    channelIds: [],
    groupIds: [],
    includesDefaultChannels: false,
    email: `eve${lastId}@example.com`,
    fullName: `Eve ${lastId}`,
    password: PASSWORD,
    timezone: '',
    defaultLanguage: '',
    defaultChannelGroups: [],
    ...wanted,
  };
}

const giveRole = ({ userId }: Person, role: number) =>
  updateUser(ctx, owner, { user: { id: userId }, role, profileValues: [] });
const contents = async () => (await announcedNotices(ctx, owner)).map(({ content }) => content);
const count = async () => {
  const rows = await ctx.db.query<{ count: number }>('select count(*) from user_account where realm_id = $1', [
    owner.realmId,
  ]);
  return Number(rows[0]?.count);
};
async function subscribedTo(userId: number): Promise<number[]> {
  const rows = await ctx.db.query<{ id: number }>(
    'select channel_id as id from subscription where realm_id = $1 and user_id = $2 and is_active order by channel_id',
    [owner.realmId, userId],
  );
  return rows.map(({ id }) => id);
}

describe('an account that is made of an invitation', () => {
  test('has the role, the channels and the groups of the invitation, and its holder’s choices', async () => {
    const { sandbox, general } = await channelIds(ctx, owner);
    const [group] = await ctx.db.query<{ id: number }>(
      `insert into user_group (realm_id, name, name_key, description, creator_id, created_at)
       values ($1, 'cooks', 'cooks', '', $2, now()) returning id`,
      [owner.realmId, owner.userId],
    );
    const groupId = group?.id as number;
    await ctx.db.query('update channel set is_archived = true where id = $1', [general]);
    const account = await openInvitedAccount(
      ctx,
      invited({
        role: ROLES.moderator,
        channelIds: [sandbox as number, general as number],
        groupIds: [groupId],
        timezone: 'Europe/Berlin',
        emailAddressVisibility: 4,
        defaultLanguage: 'de',
      }),
    );
    const caller = { ...newCall(), realmId: owner.realmId, userId: account.userId };
    expect(await getOwnUser(ctx, caller)).toMatchObject({
      role: ROLES.moderator,
      timezone: 'Europe/Berlin',
      emailAddressVisibility: 4,
      deliveryEmail: account.deliveryEmail,
    });
    expect(account.email).toMatch(new RegExp(`^user${account.userId}@`));
    expect(await subscribedTo(account.userId)).toEqual([sandbox]);
    const members = await ctx.db.query('select user_id from user_group_member where group_id = $1', [groupId]);
    expect(members).toEqual([{ user_id: account.userId }]);
    expect(account.administratorIds).toEqual([owner.userId]);
  });

  test('joins no group to which its inviter may no longer add members', async () => {
    const inviter = await newUser(ctx, owner, { role: ROLES.owner });
    const groupId = await newGroup(ctx, owner, { name: 'cooks' });
    const members = async () => {
      const { userId } = await openInvitedAccount(ctx, invited({ referrerId: inviter.userId, groupIds: [groupId] }));
      const rows = await ctx.db.query<{ id: number }>(
        'select user_id as id from user_group_member where group_id = $1',
        [groupId],
      );
      return { userId, ids: rows.map(({ id }) => id) };
    };
    const first = await members();
    expect(first.ids).toEqual([first.userId]);
    await giveRole(inviter, ROLES.member);
    expect((await members()).ids).toEqual([first.userId]);
  });

  test('has the default channels, too, where the invitation says so', async () => {
    const { userId } = await openInvitedAccount(ctx, invited({ includesDefaultChannels: true }));
    expect(await subscribedTo(userId)).toEqual(Object.values(await channelIds(ctx, owner)).sort((a, b) => a - b));
  });

  test('is created once for repeated and concurrent requests; each answer has a valid key', async () => {
    const before = await count();
    const request = invited();
    const answers = await Promise.all(Array.from({ length: 8 }, () => openInvitedAccount(ctx, request)));
    expect(new Set(answers.map(({ userId }) => userId)).size).toBe(1);
    expect(new Set(answers.map(({ apiKey }) => apiKey)).size).toBe(8);
    expect(await count()).toBe(before + 1);
    const again = await openInvitedAccount(ctx, request);
    expect(again.userId).toBe(answers[0]?.userId);
    expect(await findInvitedAccount(ctx, request)).toMatchObject({ userId: again.userId });
    expect((await contents()).filter((text) => text.includes('accepted your invitation'))).toHaveLength(1);
  });

  test('requires its password: another one gets no key, nor does any after deactivation', async () => {
    const request = invited();
    const { userId } = await openInvitedAccount(ctx, request);
    const other = await openInvitedAccount(ctx, { ...request, password: 'another horse entirely' });
    expect(other).toMatchObject({ userId });
    expect(other.apiKey).toBeUndefined();
    await ctx.db.query('update user_account set is_active = false where id = $1', [userId]);
    expect((await openInvitedAccount(ctx, request)).apiKey).toBeUndefined();
  });
});

describe('notifications', () => {
  test('go to the inviter, the announcement channel, and the new user with the invitation’s text', async () => {
    const { general } = await channelIds(ctx, owner);
    await ctx.db.query('update realm set settings = settings || $2 where id = $1', [
      owner.realmId,
      { signup_announcements_stream_id: general, welcome_message_custom_text: 'usual' },
    ]);
    const { userId } = await openInvitedAccount(ctx, invited({ fullName: 'Eve', welcomeText: 'special' }));
    expect(await announcedNotices(ctx, owner)).toMatchObject([
      { to: { channelId: general, topic: 'signups' }, content: `@_**Eve|${userId}** joined this organization.` },
      { to: { userIds: [owner.userId] }, content: `@_**Eve|${userId}** accepted your invitation to join Parley!` },
      { to: { userIds: [userId] }, isStarred: true },
      { to: { userIds: [userId] }, content: 'special' },
    ]);
  });

  test.each([
    ['absent: the organization’s', {}, ['usual']],
    ['empty: none', { welcomeText: '' }, []],
  ])('words that are %s', async (_what, words, expected) => {
    const settings = { welcome_message_custom_text: 'usual' };
    await ctx.db.query('update realm set settings = settings || $2 where id = $1', [owner.realmId, settings]);
    await openInvitedAccount(ctx, invited({ notifiesReferrer: false, ...words }));
    expect((await contents()).slice(1)).toEqual(expected);
  });

  test.each([
    ['de', 'Hallo und willkommen!'],
    ['fr', 'Hello, and welcome!'],
  ])('greet in the organization’s language, where there is a greeting in it: %s', async (language, greeting) => {
    const settings = { default_language: language };
    await ctx.db.query('update realm set settings = settings || $2 where id = $1', [owner.realmId, settings]);
    await openInvitedAccount(ctx, invited({ notifiesReferrer: false, welcomeText: 'special' }));
    expect(await contents()).toEqual([expect.stringMatching(`^${greeting}`), 'special']);
  });
});

test('users added by an administrator are announced like invited ones', async () => {
  const { general } = await channelIds(ctx, owner);
  const settings = { signup_announcements_stream_id: general };
  await ctx.db.query('update realm set settings = settings || $2 where id = $1', [owner.realmId, settings]);
  await ctx.db.query('update user_account set may_create_users = true where id = $1', [owner.userId]);
  const { userId } = await addUser(ctx, owner, { email: 'ann@example.com', fullName: 'Ann', password: PASSWORD });
  expect((await contents())[0]).toBe(`@_**Ann|${userId}** joined this organization.`);
});

describe('refuses', () => {
  test.each([
    ['a name too short', { fullName: 'E' }, 'Name too short!'],
    ['a weak password', { password: 'password1' }, 'The password is too weak.'],
    ['no password', { password: undefined }, "Missing 'password' argument"],
    ['an address in use', { email: 'Olivia@example.com' }, 'Email is already in use.'],
    ['no time zone', { timezone: 'Nowhere' }, /Invalid timezone/],
    ['no visibility', { emailAddressVisibility: 9 }, /Invalid email_address_visibility/],
    ['no language', { defaultLanguage: 'xx' }, 'Invalid default_language'],
    ['no set of channels', { defaultChannelGroups: ['x'] }, 'Invalid default channel group x'],
  ])('%s, and makes nothing', async (_what, wrong, expected) => {
    const before = await count();
    const request = invited(wrong as Partial<OpenInvitedAccountRequest>);
    await expect(openInvitedAccount(ctx, request)).rejects.toThrow(expected);
    expect(await count()).toBe(before);
    expect(await findInvitedAccount(ctx, request)).not.toHaveProperty('userId');
  });

  test.each([
    ['a role above the inviter’s present one', ROLES.member, ROLES.administrator],
    ['whatever a guest had invited to', ROLES.guest, ROLES.guest],
  ])('%s', async (_what, present, role) => {
    const hamlet = await newUser(ctx, owner, { role: ROLES.administrator });
    await giveRole(hamlet, present);
    const request = invited({ referrerId: hamlet.userId, role });
    await expect(openInvitedAccount(ctx, request)).rejects.toMatchObject({
      name: 'NoSuchInvitationError',
      message: 'No such invitation',
    });
    expect(await findInvitedAccount(ctx, request)).not.toHaveProperty('userId');
  });

  test('an invitation of a deactivated account', async () => {
    const hamlet = await newUser(ctx, owner);
    const request = invited({ referrerId: hamlet.userId });
    await deactivateUser(ctx, owner, { userId: hamlet.userId });
    await expect(openInvitedAccount(ctx, request)).rejects.toMatchObject({
      name: 'NoSuchInvitationError',
      message: 'No such invitation',
    });
  });

  test('no repetition after the inviter has lost their role', async () => {
    const hamlet = await newUser(ctx, owner, { role: ROLES.administrator });
    const request = invited({ referrerId: hamlet.userId, role: ROLES.administrator });
    const { userId } = await openInvitedAccount(ctx, request);
    await giveRole(hamlet, ROLES.member);
    expect(await openInvitedAccount(ctx, request)).toMatchObject({ userId, apiKey: expect.any(String) });
  });

  test('everything in an organization that is closed', async () => {
    await ctx.db.query('update realm set is_deactivated = true where id = $1', [owner.realmId]);
    await expect(openInvitedAccount(ctx, invited())).rejects.toThrow('deactivated');
    await expect(getAcceptanceFacts(ctx, { realmId: owner.realmId, emails: [] })).rejects.toThrow('deactivated');
  });
});

test('the facts contain the requirements for joining', async () => {
  const emails = ['new@example.com', 'olivia@example.com', 'nobody'];
  expect(await getAcceptanceFacts(ctx, { realmId: owner.realmId, emails })).toEqual({
    organizationName: 'Example',
    subdomain: owner.subdomain,
    addresses: [
      { objection: '', holder: '' },
      { objection: '', holder: 'active' },
      { objection: 'invalid', holder: '' },
    ],
    emailAddressVisibility: 1,
    isPasswordNeeded: true,
    language: 'en',
  });
});

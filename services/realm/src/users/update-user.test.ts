import type { UpdateUserRequest } from '@parley/shared/proto';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, freshName, join, newOrganization, newUser, type Person } from '../../test/examples';
import { groupIdOf } from '../../test/groups';
import { publicEvents } from '../../test/public-events';
import { getOwnUser } from '../accounts/get-own-user';
import { storeRealmSettings } from '../organization/realms.sql';
import { createProfileField } from '../profiles/profile-fields';
import { getUserProfiles } from '../profiles/profile-values';
import { createUser } from './create-user';
import { deactivateUser } from './deactivate-user';
import { permitUser, updateUser } from './update-user';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const dan = memberOfEachTest(ctx, olivia);

const update = (actor: Person, { userId }: Person, change: Partial<UpdateUserRequest>) =>
  updateUser(ctx, actor, { user: { id: userId }, profileValues: [], ...change });
const roleOf = async (person: Person) => (await getOwnUser(ctx, person)).role;
const eventsSince = async <Result>(act: () => Promise<Result>, ...types: string[]) => {
  const counts = await Promise.all(types.map(async (type) => (await publicEvents(ctx, olivia, type)).length));
  await act();
  const lists = await Promise.all(types.map((type) => publicEvents(ctx, olivia, type)));
  return lists.flatMap((list, index) => list.slice(counts[index]));
};

describe('a role', () => {
  test('is announced to everybody, followed by the changed groups', async () => {
    const [members, fullMembers, moderators] = await Promise.all(
      ['role:members', 'role:fullmembers', 'role:moderators'].map((name) => groupIdOf(ctx, olivia, name)),
    );
    const events = await eventsSince(() => update(olivia, dan, { role: 300 }), 'realm_user', 'user_group');
    expect(await roleOf(dan)).toBe(300);
    const move = (op: string, group_id: number | undefined) => ({
      audience: { to: 'realm' },
      event: { type: 'user_group', op, group_id, user_ids: [dan.userId] },
    });
    expect(events).toHaveLength(4);
    expect(events[0]).toEqual({
      audience: { to: 'realm' },
      event: { type: 'realm_user', op: 'update', person: { user_id: dan.userId, role: 300 } },
    });
    const moves = [
      move('remove_members', members),
      move('remove_members', fullMembers),
      move('add_members', moderators),
    ];
    expect(events.slice(1)).toEqual(expect.arrayContaining(moves));
  });

  test('shows administrators the private channels, and hides them again', async () => {
    await join(ctx, olivia, ['secret'], { newChannel: { isPrivate: true } });
    const { secret } = await channelIds(ctx, olivia);
    const streams = (role: number) => eventsSince(() => update(olivia, dan, { role }), 'stream');
    const forDan = { to: 'users', userIds: [dan.userId] };
    expect(await streams(200)).toMatchObject([
      { audience: forDan, event: { op: 'create', streams: [{ stream_id: secret }] } },
    ]);
    expect(await streams(400)).toMatchObject([{ audience: forDan, event: { op: 'delete', stream_ids: [secret] } }]);
  });

  test('leaves guests with the channels they are in', async () => {
    await join(ctx, olivia, ['open']);
    const { open } = await channelIds(ctx, olivia);
    const events = await eventsSince(() => update(olivia, dan, { role: 600 }), 'stream');
    expect(events).toMatchObject([{ event: { op: 'delete', stream_ids: [open] } }]);
  });

  test('that does not change needs no right and has no event', async () => {
    expect(await eventsSince(() => update(olivia, olivia, { role: 100 }), 'realm_user', 'user_group')).toEqual([]);
  });

  test('of the only owner cannot be changed; bots and deactivated owners do not count', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email, role: 100 });
    const otto = await newUser(ctx, olivia, { role: 100 });
    await deactivateUser(ctx, olivia, { userId: otto.userId });
    await expect(update(olivia, olivia, { role: 200 })).rejects.toThrow('from the only organization owner.');
    await update(olivia, bot, { role: 400 });
    expect(await roleOf(bot)).toBe(400);
  });

  test('of two owners who demote each other, one stays owner', async () => {
    const otto = await newUser(ctx, olivia, { role: 100 });
    const results = await Promise.allSettled([
      update(olivia, otto, { role: 400 }),
      update(otto, olivia, { role: 400 }),
    ]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([await roleOf(olivia), await roleOf(otto)].sort()).toEqual([100, 400]);
  });

  test('of a deactivated account changes without its groups', async () => {
    await deactivateUser(ctx, olivia, { userId: dan.userId });
    const events = await eventsSince(() => update(olivia, dan, { role: 300 }), 'realm_user', 'user_group', 'stream');
    expect(events).toMatchObject([{ event: { person: { user_id: dan.userId, role: 300 } } }]);
  });
});

describe('permission to update', () => {
  test('is refused to users who are not administrators', async () => {
    const eve = await newUser(ctx, olivia, { role: 300 });
    await expect(update(eve, dan, { fullName: 'Danny' })).rejects.toThrow('Insufficient permission');
    await expect(update(eve, eve, { role: 100 })).rejects.toThrow('Insufficient permission');
  });

  test('is given to the owner of a bot for its name, not its role', async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: dan.email });
    await update(dan, bot, { fullName: 'Robot' });
    expect((await getOwnUser(ctx, bot)).fullName).toBe('Robot');
    await expect(update(dan, bot, { role: 600 })).rejects.toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
  });

  test('does not extend to other organizations and unknown users', async () => {
    const stranger = await newOrganization(ctx);
    for (const id of [stranger.userId, 999_999_999, -1, 2 ** 62]) {
      await expect(updateUser(ctx, olivia, { user: { id }, profileValues: [] })).rejects.toThrow('No such user');
    }
    await expect(updateUser(ctx, olivia, { user: { email: 'nul\0@example.com' }, profileValues: [] })).rejects.toThrow(
      'No such user',
    );
  });

  test('does not extend to system bots', async () => {
    const [bot] = await ctx.db.query<{ id: number }>(
      'select id from user_account where realm_id = $1 and system_bot is not null limit 1',
      [olivia.realmId],
    );
    const user = { id: (bot as { id: number }).id };
    await expect(updateUser(ctx, olivia, { user, fullName: 'Hal', profileValues: [] })).rejects.toThrow('No such user');
  });
});

describe('a name', () => {
  test('that is blank or the same is ignored, others follow the rules', async () => {
    const { fullName } = await getOwnUser(ctx, dan);
    const ignored = async () => {
      await update(olivia, dan, { fullName: '  ' });
      await update(olivia, dan, { fullName });
    };
    expect(await eventsSince(ignored, 'realm_user')).toEqual([]);
    await expect(update(olivia, dan, { fullName: 'D' })).rejects.toThrow('Name too short!');
    const events = await eventsSince(() => update(olivia, dan, { fullName: ' Dan Dee ' }), 'realm_user');
    expect(events).toMatchObject([
      { event: { person: { user_id: dan.userId, full_name: 'Dan Dee' } } },
      { event: { person: { user_id: dan.userId, avatar_url: expect.stringContaining('/DD.svg') } } },
    ]);
    // The initials stay.
    expect(await eventsSince(() => update(olivia, dan, { fullName: 'Dora Doe' }), 'realm_user')).toHaveLength(1);
  });

  test('must be unique where the organization requires that', async () => {
    await newUser(ctx, olivia, { fullName: 'Ｚoe' });
    await update(olivia, dan, { fullName: 'zoe' });
    await storeRealmSettings(ctx.db, olivia.realmId, { require_unique_names: true });
    await update(olivia, dan, { fullName: 'Dan' });
    await expect(update(olivia, dan, { fullName: 'ZOE' })).rejects.toThrow(
      'Unique names required in this organization.',
    );
  });
});

test('profile values are set, and removed by empty ones', async () => {
  const flags = { isInSummary: false, isRequired: false, isEditableByUser: false };
  const { id: fieldId } = await createProfileField(ctx, olivia, {
    type: 1,
    name: 'Phone',
    hint: '',
    fieldData: '',
    ...flags,
  });
  const say = (text?: string) =>
    update(olivia, dan, { profileValues: [{ fieldId, userIds: null, ...(text !== undefined && { text }) }] });
  const values = async () => (await getUserProfiles(ctx, olivia, { userIds: [dan.userId] })).profiles;
  await say('123');
  expect(await values()).toMatchObject([{ values: [{ fieldId, value: '123' }] }]);
  await say('');
  expect(await values()).toEqual([]);
  await say('4');
  await say();
  expect(await values()).toEqual([]);
  await expect(update(olivia, dan, { profileValues: [{ fieldId: 99_999, text: 'x', userIds: null }] })).rejects.toThrow(
    'Field id 99999 not found.',
  );
});

test('an update is applied as a whole or not at all', async () => {
  const wanted = { role: 300, fullName: 'Danny', newEmail: 'danny@example.com' };
  await expect(update(olivia, dan, wanted)).rejects.toThrow('User not authorized to change user emails');
  expect(await roleOf(dan)).toBe(400);
});

describe('an address', () => {
  const permit = () =>
    permitUser(ctx, { subdomain: olivia.subdomain, email: olivia.email.toUpperCase(), mayChangeEmails: true });
  const address = () => `${freshName('new')}@example.com`;

  test('is changed by owners with the operator’s permission', async () => {
    await permit();
    const newEmail = address();
    const events = await eventsSince(() => update(olivia, dan, { newEmail }), 'realm_user');
    expect(events.map(({ event }) => event.person)).toMatchObject([
      { user_id: dan.userId, delivery_email: newEmail },
      { user_id: dan.userId, new_email: newEmail },
      { user_id: dan.userId, avatar_url: expect.any(String) },
    ]);
    expect(await getOwnUser(ctx, dan)).toMatchObject({ email: newEmail, deliveryEmail: newEmail });
    const iago = await newUser(ctx, olivia, { role: 200 });
    await expect(update(iago, dan, { newEmail: address() })).rejects.toThrow(
      'User not authorized to change user emails',
    );
  });

  test('that comes with a new name comes with the picture of the new initials', async () => {
    await permit();
    const change = { newEmail: address(), fullName: 'Zora Young' };
    const events = await eventsSince(() => update(olivia, dan, change), 'realm_user');
    const pictures = events.flatMap(({ event }) => (event['person'] as { avatar_url?: string }).avatar_url ?? []);
    expect(pictures).toEqual([expect.stringContaining('/ZY.svg'), expect.stringContaining('/ZY.svg')]);
  });

  test('is changed by them even where people may not change their own', async () => {
    await permit();
    await ctx.db.query(`update realm set settings = settings || '{"email_changes_disabled": true}' where id = $1`, [
      olivia.realmId,
    ]);
    const newEmail = address();
    await update(olivia, dan, { newEmail });
    expect(await getOwnUser(ctx, dan)).toMatchObject({ deliveryEmail: newEmail });
  });

  test('if hidden is announced only to users who may see it', async () => {
    await permit();
    const iago = await newUser(ctx, olivia, { role: 200 });
    await ctx.db.query(
      `update user_account set email_address_visibility = 3, email = 'user' || id || '@hidden.invalid' where id = $1`,
      [dan.userId],
    );
    const newEmail = address();
    const events = await eventsSince(() => update(olivia, dan, { newEmail }), 'realm_user');
    const userIds = [olivia.userId, iago.userId, dan.userId];
    expect(events).toEqual([
      {
        audience: { to: 'users', userIds: expect.arrayContaining(userIds) },
        event: { type: 'realm_user', op: 'update', person: { user_id: dan.userId, delivery_email: newEmail } },
      },
    ]);
    expect((await getOwnUser(ctx, dan)).email).toBe(`user${dan.userId}@hidden.invalid`);
  });

  test.each([
    ['nonsense', 'Invalid new email address.'],
    ['dan@mailinator.com', 'Disposable email addresses are not allowed in this organization'],
  ])('%s: %s', async (newEmail, text) => {
    await permit();
    await expect(update(olivia, dan, { newEmail })).rejects.toThrow(text);
  });

  test('must be unique', async () => {
    await permit();
    await expect(update(olivia, dan, { newEmail: olivia.email.toUpperCase() })).rejects.toThrow(
      'Email is already in use.',
    );
    await update(olivia, dan, { newEmail: dan.email.toUpperCase() });
    expect((await getOwnUser(ctx, dan)).deliveryEmail).toBe(dan.email.toUpperCase());
  });

  test('identifies users whom the caller may see', async () => {
    const byEmail = (email: string) => updateUser(ctx, olivia, { user: { email }, fullName: 'Dee', profileValues: [] });
    await byEmail(dan.email.toUpperCase());
    await byEmail(`user${dan.userId}@hidden.invalid`);
    expect((await getOwnUser(ctx, dan)).fullName).toBe('Dee');
    await ctx.db.query('update user_account set email_address_visibility = 4, email = $2 where id = $1', [
      dan.userId,
      `user${dan.userId}@hidden.invalid`,
    ]);
    await expect(byEmail(dan.email)).rejects.toThrow('No such user');
  });
});

test('the operator’s permission to create accounts can be given at creation', async () => {
  const { userId } = await createUser(ctx, {
    subdomain: olivia.subdomain,
    email: `${freshName('iago')}@example.com`,
    fullName: 'Iago',
    role: 200,
    mayCreateUsers: true,
  });
  const rows = await ctx.db.query('select may_create_users as may from user_account where id = $1', [userId]);
  expect(rows).toEqual([{ may: true }]);
});

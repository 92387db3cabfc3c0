import { newCall } from '@parley/shared/rpc';
import { REALM_SETTING_DEFAULTS } from '@parley/shared/values';
import { contextOfTests } from '../../test/each-test';
import { announced, channelIds, freshName } from '../../test/examples';
import { groupIdOf } from '../../test/groups';
import { getOwnUser } from '../accounts/get-own-user';
import { loadRealmGroupSettings } from '../group-settings/complete-settings';
import { getRealm } from '../organization/change-organization';
import { loadRealmSettings } from '../organization/realms.sql';
import { getRegisterState } from '../register/get-register-state';
import { createRealm } from './create-realm';

const request = () => ({
  name: ' Example Inc. ',
  subdomain: freshName('org'),
  ownerEmail: 'Olivia@Example.com',
  ownerName: 'Olivia',
});

const ctx = contextOfTests();

describe('a new organization', () => {
  test('is found by its subdomain', async () => {
    const wanted = request();
    const { realmId } = await createRealm(ctx, wanted);
    expect(await getRealm(ctx, wanted)).toEqual({
      id: realmId,
      subdomain: wanted.subdomain,
      name: 'Example Inc.',
      description: '',
      renderedDescription: '',
      isDeactivated: false,
      topicsPolicy: 'allow_empty_topic',
      createdAtMs: ctx.clock.now(),
      settings: expect.any(String),
      images: [],
      hasLdap: false,
    });
  });

  test('has an owner who is subscribed to its first channels, which anyone may join', async () => {
    const account = await createRealm(ctx, request());
    const { ownUser, subscriptions, defaultChannelIds } = await getRegisterState(ctx, { ...newCall(), ...account });
    expect(ownUser).toMatchObject({ id: account.userId, email: 'Olivia@Example.com', fullName: 'Olivia', role: 100 });
    expect(subscriptions.map(({ channel }) => channel)).toMatchObject([
      { name: 'general', isPrivate: false, subscriberCount: 1, subscriptionVersion: 1 },
      { name: 'sandbox', isPrivate: false, subscriberCount: 1, subscriptionVersion: 1 },
      { name: 'tips', isPrivate: false, subscriberCount: 1, subscriptionVersion: 1 },
    ]);
    expect(subscriptions.map(({ color }) => color)).toEqual(['#76ce90', '#fae589', '#a6c7e5']);
    expect(defaultChannelIds).toEqual(subscriptions.map(({ channel }) => channel?.id));
  });

  test('announces new channels in general, and the owner’s subscriptions', async () => {
    const owner = { ...newCall(), ...(await createRealm(ctx, request())) };
    const { general, sandbox, tips } = await channelIds(ctx, owner);
    expect(await loadRealmSettings(ctx.db, owner.realmId)).toMatchObject({
      new_stream_announcements_stream_id: general,
      service_update_announcements_stream_id: general,
    });
    const joined = { version: 1, subscribedIds: [owner.userId], unsubscribedIds: [] };
    expect(await announced(ctx, owner)).toEqual([
      { channelId: general, ...joined },
      { channelId: sandbox, ...joined },
      { channelId: tips, ...joined },
    ]);
  });

  test('begins with the defaults, plus read receipts, as all members are invited', async () => {
    const { realmId } = await createRealm(ctx, request());
    const { new_stream_announcements_stream_id, service_update_announcements_stream_id, ...settings } =
      await loadRealmSettings(ctx.db, realmId);
    expect({ ...REALM_SETTING_DEFAULTS, enable_read_receipts: true }).toMatchObject(settings);
  });

  test('that is a school begins with less freedom', async () => {
    const owner = { ...newCall(), ...(await createRealm(ctx, { ...request(), orgType: 35 })) };
    const administrators = { groupId: await groupIdOf(ctx, owner, 'role:administrators') };
    const moderators = { groupId: await groupIdOf(ctx, owner, 'role:moderators') };
    expect(await loadRealmGroupSettings(ctx.db, owner.realmId)).toMatchObject({
      can_create_public_channel_group: administrators,
      can_invite_users_group: administrators,
      can_create_groups: moderators,
      can_move_messages_between_channels_group: moderators,
      can_add_subscribers_group: moderators,
      can_create_private_channel_group: { groupId: await groupIdOf(ctx, owner, 'role:members') },
    });
    expect(await loadRealmSettings(ctx.db, owner.realmId)).toMatchObject({ org_type: 35 });
    expect(await getOwnUser(ctx, owner)).toMatchObject({ emailAddressVisibility: 3 });
  });

  test('may be the one of the root domain, but there is one only', async () => {
    await createRealm(ctx, { ...request(), subdomain: '' });
    expect(await getRealm(ctx, { subdomain: '' })).toMatchObject({ subdomain: '' });
    await expect(createRealm(ctx, { ...request(), subdomain: '' })).rejects.toThrow('Subdomain already in use.');
  });

  test('of two made at once with one subdomain one remains, and nothing of the other', async () => {
    const wanted = request();
    const results = await Promise.allSettled([createRealm(ctx, wanted), createRealm(ctx, wanted)]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const orphans = await ctx.db.query(`select id from user_group where realm_id not in (select id from realm)`);
    expect(orphans).toEqual([]);
  });

  test.each([
    [{ name: '  ' }, 'name cannot be blank'],
    [{ name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
    [{ name: 'a\0b' }, 'Invalid character in name, at position 2.'],
    [{ subdomain: 'ab' }, 'Subdomain needs to have length 3 or greater.'],
    [{ subdomain: 'x'.repeat(41) }, 'Subdomain too long (limit: 40 characters).'],
    [{ subdomain: 'Acme' }, "Subdomain can only have lowercase letters, numbers, and '-'s."],
    [{ subdomain: 'a_b_c' }, "Subdomain can only have lowercase letters, numbers, and '-'s."],
    [{ subdomain: '-abc' }, "Subdomain cannot start or end with a '-'."],
    [{ subdomain: 'abc-' }, "Subdomain cannot start or end with a '-'."],
    [{ ownerEmail: 'nobody' }, 'Enter a valid email address.'],
    [{ ownerName: 'x' }, 'Name too short!'],
    [{ ownerPassword: '12345' }, 'The password is too weak.'],
    [{ orgType: 5 }, 'Invalid org_type: Value error, Not in the list of possible values'],
  ])('with %p is refused', async (wrong, message) => {
    await expect(createRealm(ctx, { ...request(), ...wrong })).rejects.toThrow(message);
  });
});

describe('an unknown organization', () => {
  test.each(['nothing-here', 'GENERAL', 'nul\0', `${'x'.repeat(5000)}`])('is not found', async (subdomain) => {
    await expect(getRealm(ctx, { subdomain })).rejects.toMatchObject({
      code: 'NONEXISTENT_SUBDOMAIN',
      httpStatus: 404,
    });
  });
});

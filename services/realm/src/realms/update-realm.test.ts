import type { UpdateRealmRequest } from '@parley/shared/proto';
import type { RealmSettings } from '@parley/shared/values';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { channelIds, join, newOrganization, newUser, type Person } from '../../test/examples';
import { groupIdOf, someone } from '../../test/groups';
import { payloadsOf, publicEvents } from '../../test/public-events';
import { loadRealmGroupSettings } from '../group-settings/complete-settings';
import { getRealm } from '../organization/change-organization';
import { forgetChannel } from '../organization/forget-channel';
import { loadRealmSettings } from '../organization/realms.sql';
import { devFetchApiKey, fetchApiKey } from '../sign-in/sign-in';
import { updateRealm } from './update-realm';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

type Wanted = Partial<Omit<UpdateRealmRequest, 'settings'>> & {
  settings?: Partial<Record<keyof RealmSettings, unknown>>;
};

async function update(person: Person, { settings = {}, ...wanted }: Wanted) {
  const request = { groupSettings: {}, ...wanted, settings: JSON.stringify(settings) };
  const { settings: changed, ...updated } = await updateRealm(ctx, person, request);
  return { ...updated, settings: JSON.parse(changed) };
}

const events = async () => {
  const all = await publicEvents(ctx, olivia, 'realm');
  expect(all.every(({ audience }) => audience.to === 'realm' && !audience.exceptIds)).toBe(true);
  return all.map(({ event }) => event);
};

describe('settings', () => {
  test('are changed, announced to everybody, and returned to the caller', async () => {
    const administrator = await newUser(ctx, olivia, { role: 200 });
    const settings = { digest_weekday: 4, default_language: 'de', message_content_delete_limit_seconds: 'unlimited' };
    const changed = { ...settings, message_content_delete_limit_seconds: null };
    expect(await update(administrator, { settings })).toEqual({ settings: changed, groupSettings: {} });
    expect(await loadRealmSettings(ctx.db, olivia.realmId)).toMatchObject({ ...changed, giphy_rating: 2 });
    expect(await events()).toEqual([
      { type: 'realm', op: 'update', property: 'default_language', value: 'de' },
      { type: 'realm', op: 'update', property: 'digest_weekday', value: 4 },
      { type: 'realm', op: 'update', property: 'message_content_delete_limit_seconds', value: null },
    ]);
  });

  test('with dependent settings are announced in one event', async () => {
    await update(olivia, {
      settings: {
        allow_message_editing: false,
        message_content_edit_limit_seconds: 60,
        topics_policy: 'disable_empty_topic',
        message_edit_history_visibility_policy: 'moves',
      },
    });
    const data = {
      allow_message_editing: false,
      message_content_edit_limit_seconds: 60,
      topics_policy: 'disable_empty_topic',
      mandatory_topics: true,
      message_edit_history_visibility_policy: 'moves',
      allow_edit_history: true,
    };
    expect(await events()).toEqual([{ type: 'realm', op: 'update_dict', property: 'default', data }]);
    expect(await getRealm(ctx, olivia)).toMatchObject({ topicsPolicy: 'disable_empty_topic' });
  });

  test('that stay are no news', async () => {
    const settings = { invite_required: true, message_retention_days: 'unlimited', jitsi_server_url: 'default' };
    expect(await update(olivia, { name: 'Example', settings })).toEqual({ settings: {}, groupSettings: {} });
    await update(olivia, { settings: { authentication_methods: { Email: true } } });
    expect(await events()).toEqual([]);
  });

  test('are all changed or none', async () => {
    const settings = { digest_weekday: 4, moderation_request_channel_id: 999_999_999 };
    await expect(update(olivia, { name: 'Other', settings })).rejects.toThrow('Invalid channel ID');
    await expect(update(olivia, { name: 'Other', subdomain: 'other' })).rejects.toThrow('Must be a demo organization.');
    expect(await getRealm(ctx, olivia)).toMatchObject({
      name: 'Example',
      settings: expect.not.stringContaining('digest'),
    });
    expect(await events()).toEqual([]);
  });

  test('of one organization are not those of another', async () => {
    const stranger = await newOrganization(ctx);
    await update(stranger, { settings: { digest_weekday: 4 } });
    expect(await loadRealmSettings(ctx.db, olivia.realmId)).toMatchObject({ digest_weekday: 1 });
  });
});

describe('permissions', () => {
  const administratorsOnly = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization administrator' };
  const ownersOnly = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization owner' };

  test('administrators may, except settings for owners', async () => {
    for (const role of [300, 400, 600]) {
      const person = await newUser(ctx, olivia, { role });
      await expect(update(person, {})).rejects.toMatchObject(administratorsOnly);
    }
    const administrator = await newUser(ctx, olivia, { role: 200 });
    await update(administrator, { description: 'x' });
    for (const wanted of [
      { settings: { invite_required: true } },
      { settings: { waiting_period_threshold: -1 } },
      { groupSettings: { can_manage_all_groups: { new: null, old: null } } },
      { subdomain: 'other' },
    ]) {
      await expect(update(administrator, wanted)).rejects.toMatchObject(ownersOnly);
    }
  });

  test('callers deactivated meanwhile may not', async () => {
    await ctx.db.query('update user_account set is_active = false where realm_id = $1 and id = $2', [
      olivia.realmId,
      olivia.userId,
    ]);
    await expect(update(olivia, {})).rejects.toMatchObject({ code: 'USER_DEACTIVATED' });
  });
});

describe('name and description', () => {
  test('are changed, trimmed', async () => {
    expect(await update(olivia, { name: ' Acme ', description: ' We <make>\nthings ' })).toMatchObject({
      name: 'Acme',
      description: 'We <make>\nthings',
    });
    const renderedDescription = '<p>We &lt;make&gt;<br>\nthings</p>';
    expect(await getRealm(ctx, olivia)).toMatchObject({ name: 'Acme', renderedDescription });
    const data = { description: 'We <make>\nthings', rendered_description: renderedDescription };
    expect(await events()).toEqual([
      { type: 'realm', op: 'update', property: 'name', value: 'Acme' },
      { type: 'realm', op: 'update_dict', property: 'default', data },
    ]);
  });

  test.each([
    [{ name: ' ' }, 'name cannot be blank'],
    [{ name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
    [{ description: 'x'.repeat(1_001) }, 'description is too long (limit: 1000 characters)'],
    [{ description: 'a\0' }, 'Invalid character in description, at position 2.'],
  ])('%j is refused', async (wanted, message) => {
    await expect(update(olivia, wanted)).rejects.toThrow(message);
  });
});

describe('channels for announcements', () => {
  test('begin with the first channel, may be another one or none', async () => {
    await join(ctx, olivia, ['news']);
    const { general = 0, news = 0 } = await channelIds(ctx, olivia);
    expect(await loadRealmSettings(ctx.db, olivia.realmId)).toMatchObject({
      new_stream_announcements_stream_id: general,
      service_update_announcements_stream_id: general,
      signup_announcements_stream_id: -1,
    });
    await update(olivia, {
      settings: { new_stream_announcements_stream_id: news, service_update_announcements_stream_id: -1 },
    });
    expect(await events()).toEqual([
      { type: 'realm', op: 'update', property: 'new_stream_announcements_stream_id', value: news },
      { type: 'realm', op: 'update', property: 'service_update_announcements_stream_id', value: -1 },
    ]);
  });

  test('are there, and in use; the one for moderators is private', async () => {
    await join(ctx, olivia, ['staff'], { newChannel: { isPrivate: true } });
    const { general, sandbox, staff } = await channelIds(ctx, olivia);
    const { general: elsewhere } = await channelIds(ctx, await newOrganization(ctx));
    await ctx.db.query('update channel set is_archived = true where realm_id = $1 and id = $2', [
      olivia.realmId,
      sandbox,
    ]);
    for (const id of [elsewhere, sandbox, 2 ** 40]) {
      const settings = { signup_announcements_stream_id: id };
      await expect(update(olivia, { settings })).rejects.toThrow('Invalid channel ID');
    }
    const moderation = (id: number | undefined) => update(olivia, { settings: { moderation_request_channel_id: id } });
    await expect(moderation(general)).rejects.toThrow('Moderation request channel must be private.');
    expect((await moderation(staff)).settings).toEqual({ moderation_request_channel_id: staff });
  });

  test('that go out of use are forgotten', async () => {
    const { general = 0, sandbox = 0 } = await channelIds(ctx, olivia);
    expect(await ctx.db.transaction((tx) => forgetChannel(tx, olivia.realmId, sandbox))).toEqual([]);
    const [event] = await ctx.db.transaction((tx) => forgetChannel(tx, olivia.realmId, general));
    const gone = { new_stream_announcements_stream_id: -1, service_update_announcements_stream_id: -1 };
    expect(event).toMatchObject({ kind: 'realm.changed', payload: { settings: gone } });
    expect(await loadRealmSettings(ctx.db, olivia.realmId)).toMatchObject(gone);
  });
});

describe('permissions', () => {
  test('are given to groups, named or not, if the expected old value matches', async () => {
    const iago = await newUser(ctx, olivia);
    const members = await groupIdOf(ctx, olivia, 'role:members');
    const named = { groupId: members, directMemberIds: [], directSubgroupIds: [] };
    const changes = {
      can_create_bots_group: { new: someone(iago.userId), old: named },
      can_add_custom_emoji_group: { new: named, old: null },
    };
    expect(await update(olivia, { groupSettings: changes })).toEqual({
      settings: {},
      groupSettings: { can_create_bots_group: someone(iago.userId) },
    });
    expect(await loadRealmGroupSettings(ctx.db, olivia.realmId)).toMatchObject({
      can_create_bots_group: someone(iago.userId),
      can_add_custom_emoji_group: named,
    });
    const data = { can_create_bots_group: { direct_members: [iago.userId], direct_subgroups: [] } };
    expect(await events()).toEqual([{ type: 'realm', op: 'update_dict', property: 'default', data }]);
    await expect(update(olivia, { groupSettings: changes })).rejects.toMatchObject({ code: 'EXPECTATION_MISMATCH' });
  });

  test('are not given to impossible groups', async () => {
    const groupOf = async (name: string) => ({ groupId: await groupIdOf(ctx, olivia, name), ...someone() });
    const give = async (name: string, group: string) =>
      update(olivia, { groupSettings: { [name]: { new: await groupOf(group), old: null } } });
    await expect(give('can_manage_all_groups', 'role:nobody')).rejects.toThrow("cannot be set to 'role:nobody' group.");
    await expect(give('can_create_groups', 'role:everyone')).rejects.toThrow("cannot be set to 'role:everyone' group.");
    await expect(give('can_resolve_topics_group', 'role:internet')).rejects.toThrow('cannot be set to');
    const anonymous = { can_access_all_users_group: { new: someone(olivia.userId), old: null } };
    await expect(update(olivia, { groupSettings: anonymous })).rejects.toMatchObject({ code: 'SYSTEM_GROUP_REQUIRED' });
    expect(await events()).toEqual([]);
  });
});

describe('the waiting period', () => {
  test('takes effect on full members at once', async () => {
    const iago = await newUser(ctx, olivia);
    await newUser(ctx, olivia, { role: 600 });
    ctx.clock.advance(3 * 24 * 3_600_000);
    const recent = await newUser(ctx, olivia);
    const before = (await publicEvents(ctx, olivia, 'user_group')).length;
    const group = { type: 'user_group', group_id: await groupIdOf(ctx, olivia, 'role:fullmembers') };
    await update(olivia, { settings: { waiting_period_threshold: 2 } });
    await update(olivia, { settings: { waiting_period_threshold: 5 } });
    await update(olivia, { settings: { waiting_period_threshold: 0 } });
    const moves = (await publicEvents(ctx, olivia, 'user_group')).slice(before);
    expect(moves.map(({ event }) => event)).toEqual([
      { ...group, op: 'remove_members', user_ids: [recent.userId] },
      { ...group, op: 'remove_members', user_ids: [iago.userId] },
      { ...group, op: 'add_members', user_ids: [iago.userId, recent.userId] },
    ]);
  });
});

describe('ways to sign in', () => {
  const withDevelopment = () => ({ ...ctx, config: { ...ctx.config, DEV_LOGIN: true } });
  const signIn = (password: string) =>
    fetchApiKey(ctx, { subdomain: olivia.subdomain, username: olivia.email, password, label: '', address: '' });

  test('may leave out the password, where there is another one', async () => {
    const request = { groupSettings: {}, settings: '{"authentication_methods":{"Email":false}}' };
    await expect(updateRealm(ctx, olivia, request)).rejects.toThrow('At least one authentication method');
    await updateRealm(withDevelopment(), olivia, request);
    const methods = { Email: { enabled: false, available: true }, Dev: { enabled: true, available: true } };
    expect(await events()).toMatchObject([{ op: 'update_dict', data: { authentication_methods: methods } }]);
    await expect(signIn('whatever')).rejects.toMatchObject({ code: 'PASSWORD_AUTH_DISABLED', httpStatus: 401 });
  });

  test('may be the password only', async () => {
    const request = { groupSettings: {}, settings: '{"authentication_methods":{"Dev":false}}' };
    await updateRealm(withDevelopment(), olivia, request);
    const login = { subdomain: olivia.subdomain, username: olivia.email, label: '' };
    await expect(devFetchApiKey(ctx, login)).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    await expect(signIn('wrong')).rejects.toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  });
});

test('changes made at the same time follow one another', async () => {
  const days = [1, 2, 3, 4, 5];
  await Promise.all(days.map((digest_weekday) => update(olivia, { settings: { digest_weekday } })));
  const announced = await payloadsOf<{ value: number }>(ctx, olivia, 'realm.property-changed');
  expect((await loadRealmSettings(ctx.db, olivia.realmId)).digest_weekday).toBe(announced.at(-1)?.value);
});

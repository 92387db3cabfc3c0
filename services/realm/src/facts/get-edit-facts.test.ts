import type { ReadFacts } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { join, newUser, type Person } from '../../test/examples';
import { listRetention } from '../retention/retention';
import { getEditFacts } from './get-edit-facts';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const NO_NAMES = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
const ask = (who: Person, ...channelIds: number[]) => getEditFacts(ctx, who, { channelIds, ...NO_NAMES });

async function channelIdOf(name: string): Promise<number> {
  const [row] = await ctx.db.query<{ id: number }>('select id from channel where realm_id = $1 and name = $2', [
    olivia.realmId,
    name,
  ]);
  return row?.id as number;
}

test('for content alone the facts for reading and sending are the same, from one statement', async () => {
  const names = { mentionedNames: [], mentionedGroupNames: [], linkedChannelNames: [], emojiNames: [] };
  const channelId = await channelIdOf('general');
  const request = { ...names, channelIds: [channelId], readChannels: { ids: [channelId] } };
  const all = await getEditFacts(ctx, olivia, request);
  const before = ctx.db.statementCount;
  const some = await getEditFacts(ctx, olivia, { ...request, contentOnly: true });
  expect(ctx.db.statementCount - before).toBe(1);
  const { version, usersVersion, ...read } = all.read as ReadFacts;
  // Versions are for callers that cache.
  expect([version, usersVersion]).not.toContain(undefined);
  expect([some.read, some.send]).toEqual([read, all.send]);
  expect(some.channels).toEqual(all.channels.map((channel) => ({ ...channel, permissions: [] })));
});

test('for content alone, a credential that travels with the call is confirmed by the same statement', async () => {
  const { realmId, userId, email, subdomain } = olivia;
  const [key] = await ctx.db.query<{ id: number }>('select id from api_key where user_id = $1', [userId]);
  const credential = { apiKeyId: key?.id as number, email, subdomain, isConfirmed: false };
  const request = { ...NO_NAMES, channelIds: [], readChannels: { ids: [] }, contentOnly: true };
  const askWith = (carried: typeof credential) =>
    getEditFacts(ctx, { ...newCall(), realmId, userId, credential: carried }, request);
  const unconfirmed = { ...credential };
  const before = ctx.db.statementCount;
  await askWith(credential);
  expect([credential.isConfirmed, ctx.db.statementCount - before]).toEqual([true, 1]);
  await expect(askWith({ ...unconfirmed, email: 'other@example.com' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  await ctx.db.query('update api_key set revoked_at = now() where id = $1', [key?.id]);
  await expect(askWith(unconfirmed)).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

test('the facts include the caller’s rights, in the organization and in the requested channels', async () => {
  const [general, sandbox] = [await channelIdOf('general'), await channelIdOf('sandbox')];
  const member = await newUser(ctx, olivia);
  const { permissions, channels, notificationBot, read, send } = await ask(member, general, sandbox);
  expect(permissions).toEqual(
    expect.arrayContaining(['can_move_messages_between_channels_group', 'can_resolve_topics_group']),
  );
  expect(permissions).not.toContain('can_delete_any_message_group');
  expect(channels.map((facts) => facts.send?.channel?.id)).toEqual([general, sandbox]);
  expect(channels[0]?.permissions).toContain('can_send_message_group');
  expect(channels[0]?.permissions).not.toContain('can_move_messages_within_channel_group');
  expect(notificationBot?.isSystemBot).toBe(true);
  expect(read?.channels.map(({ channelId }) => channelId)).toEqual(expect.arrayContaining([general, sandbox]));
  expect(send?.sender?.id).toBe(member.userId);
  expect((await ask(olivia)).permissions).toContain('can_delete_any_message_group');
});

test('guests in the first channel only are listed when there is a second', async () => {
  await join(ctx, olivia, ['open']);
  const [open, sandbox] = [await channelIdOf('open'), await channelIdOf('sandbox')];
  const [guest, both] = [await newUser(ctx, olivia, { role: 600 }), await newUser(ctx, olivia, { role: 600 })];
  await join(ctx, olivia, ['open'], { principalIds: [guest.userId, both.userId] });
  await join(ctx, olivia, ['sandbox'], { principalIds: [both.userId] });
  await ctx.db.query(
    `update subscription set is_active = false where realm_id = $1 and channel_id = $2 and user_id = $3`,
    [olivia.realmId, sandbox, guest.userId],
  );
  expect((await ask(olivia, open, sandbox)).channels[0]?.guestIds).toEqual([guest.userId]);
  expect((await ask(olivia, open)).channels[0]?.guestIds).toEqual([]);
});

test('the facts for deletions and for resolving a topic are loaded on request', async () => {
  await join(ctx, olivia, ['questions']);
  const questions = await channelIdOf('questions');
  const [never, always, other] = [await newUser(ctx, olivia), await newUser(ctx, olivia), await newUser(ctx, olivia)];
  await join(ctx, olivia, ['questions'], { principalIds: [never.userId, always.userId, other.userId] });
  const choose = ({ realmId, userId }: Person, choice: string) =>
    ctx.db.query(
      `insert into user_settings (realm_id, user_id, chosen)
       values ($1, $2, jsonb_build_object('resolved_topic_notice_auto_read_policy', $3::text))
       on conflict (realm_id, user_id) do update set chosen = excluded.chosen`,
      [realmId, userId, choice],
    );
  await choose(never, 'never');
  await choose(always, 'always');
  await choose(other, 'except_followed');
  const request = { channelIds: [questions], ...NO_NAMES };
  const resolving = await getEditFacts(ctx, olivia, { ...request, withNoticeChoices: true });
  expect(resolving.noticeChoices).toEqual({ alwaysReadIds: [always.userId], neverReadIds: [never.userId] });
  expect((await ask(olivia, questions)).noticeChoices).toBeNull();

  const bot = await newUser(ctx, olivia);
  await ctx.db.query(
    'update user_account set is_bot = true, bot_type = 1, bot_owner_id = $3 where realm_id = $1 and id = $2',
    [olivia.realmId, bot.userId, other.userId],
  );
  const deleting = await getEditFacts(ctx, olivia, { ...request, withoutSend: true, authorId: bot.userId });
  expect(deleting).toMatchObject({ authorOwnerId: other.userId, send: null });
  expect(deleting.channels).toMatchObject([{ channel: { id: questions, name: 'questions' }, send: null }]);
});

test('whether the caller may mention many follows the setting of the organization', async () => {
  const names = { ...NO_NAMES, mentionedNames: ['all'] };
  const mayMentionMany = async () =>
    (await getEditFacts(ctx, olivia, { channelIds: [await channelIdOf('general')], ...names })).send?.mayMentionMany;
  expect(await mayMentionMany()).toBe(true);
  await ctx.db.query(
    `insert into realm_group_setting (realm_id, name, group_id)
     select $1, 'can_mention_many_users_group', id from user_group where realm_id = $1 and name = 'role:nobody'
     on conflict (realm_id, name) do update set group_id = excluded.group_id`,
    [olivia.realmId],
  );
  expect(await mayMentionMany()).toBe(false);
});

test('retention is listed where it is limited', async () => {
  const ofOlivia = async () => (await listRetention(ctx, {})).realms.find(({ realmId }) => realmId === olivia.realmId);
  expect(await ofOlivia()).toBeUndefined();
  const general = await channelIdOf('general');
  await ctx.db.query('update channel set message_retention_days = 7 where realm_id = $1 and id = $2', [
    olivia.realmId,
    general,
  ]);
  const { days, channels } = (await ofOlivia()) ?? {};
  expect(days).toBe(-1);
  expect(channels).toContainEqual({
    channelId: general,
    name: 'general',
    days: 7,
    subscriptionVersion: expect.any(Number),
    isPrivate: false,
    isWebPublic: false,
    isHistoryPublic: true,
  });
  expect(channels?.filter((channel) => channel.days !== undefined)).toHaveLength(1);
  const { realms } = await listRetention(ctx, { withoutChannels: true });
  expect(realms).toContainEqual({ realmId: olivia.realmId, days: -1, channels: [] });
  expect(realms.flatMap((realm) => realm.channels)).toEqual([]);
  await ctx.db.query(`update realm set settings = '{"message_retention_days": 30}' where id = $1`, [olivia.realmId]);
  expect((await ofOlivia())?.days).toBe(30);
});

import type { GroupSetting } from '@parley/shared/proto';
import { newChannel, reached } from '../../test/channels';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, newGroup, newOrganization, newUser, type Person } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { listChannels } from '../channels/list-channels';
import { getReadFacts } from '../facts/get-read-facts';
import { getSendFacts } from '../facts/get-send-facts';
import { namedGroup } from '../group-settings/group-setting';
import { findSystemGroupIds } from '../group-settings/group-settings.sql';
import { changeGroupMembers } from '../groups/change-membership';
import { channelReader } from '../list-changes/list-versions';
import { getRegisterState } from '../register/get-register-state';
import { deactivateUser } from '../users/deactivate-user';
import { channelAudience } from './channel-audience';
import { loadVisibleChannelIds, watchVisibility } from './channel-visibility';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

const unnamed = (members: Person[], groupIds: number[] = []): GroupSetting => ({
  directMemberIds: members.map(({ userId }) => userId),
  directSubgroupIds: groupIds,
});
const aChannel = (name: string, groupSettings: Record<string, GroupSetting>, isHistoryPublic = true, maker = iago) =>
  newChannel(ctx, maker, name, { settings: { isPrivate: true, isHistoryPublic, groupSettings } });
const setWaitingPeriod = (days: number) =>
  ctx.db.query(
    `update realm set settings = settings || jsonb_build_object('waiting_period_threshold', $2::integer) where id = $1`,
    [olivia.realmId, days],
  );

async function visibleTo(...people: Person[]): Promise<Map<number, number[]>> {
  return loadVisibleChannelIds(
    ctx.db,
    olivia.realmId,
    people.map(({ userId }) => userId),
    ctx.clock.now(),
  );
}

const ALL = {
  includesPublic: false,
  includesWebPublic: false,
  includesSubscribed: false,
  includesOwnerSubscribed: false,
  includesReadable: false,
  includesAll: true,
  includesAllForAdministrators: false,
  excludesArchived: false,
};

/** The same question, answered by each of the statements. */
async function seenEverywhere(person: Person): Promise<number[][]> {
  const now = (await visibleTo(person)).get(person.userId) as number[];
  const listed = (await listChannels(ctx, channelReader(ctx), person, ALL)).channels.map(({ channelId }) => channelId);
  const read = (await getReadFacts(ctx, person)).channels.map(({ channelId }) => channelId);
  const { subscriptions, unsubscribed, neverSubscribed } = await getRegisterState(ctx, person);
  const registered = [
    ...[...subscriptions, ...unsubscribed].map(({ channel }) => channel?.id as number),
    ...neverSubscribed.map(({ id }) => id),
  ];
  const audiences: number[] = [];
  for (const channelId of Object.values(await channelIds(ctx, olivia))) {
    const audience = await channelAudience(ctx.db, olivia.realmId, channelId, ctx.clock.now());
    const facts = (await getReadFacts(ctx, person)).channels.find((channel) => channel.channelId === channelId);
    if (reached(audience, { person }, facts?.isSubscribed ? [person] : []).length > 0) audiences.push(channelId);
  }
  const linked = await linkedBy(person, Object.keys(await channelIds(ctx, olivia)));
  return [now, listed, read, registered, audiences, linked].map((ids) => [...ids].sort((a, b) => a - b));
}

async function linkedBy({ realmId, userId: senderId }: Person, linkedChannelNames: string[]): Promise<number[]> {
  const lists = { recipientIds: [], recipientEmails: [], mentionedNames: [], mentionedGroupNames: [], emojiNames: [] };
  const { facts } = await getSendFacts(ctx, { queries: [{ realmId, senderId, ...lists, linkedChannelNames }] });
  return (facts[0]?.linkedChannels ?? []).map(({ id }) => id);
}

test('all statements agree on the users who see a channel', async () => {
  const [administrator, moderator, member, guest] = [
    await newUser(ctx, olivia, { role: 200 }),
    await newUser(ctx, olivia, { role: 300 }),
    await newUser(ctx, olivia),
    await newUser(ctx, olivia, { role: 600 }),
  ];
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
  const inner = await newGroup(ctx, olivia, { name: 'inner', members: [member, guest] });
  await newGroup(ctx, olivia, { name: 'outer', subgroups: ['inner'] });
  const roles = await findSystemGroupIds(ctx.db, olivia.realmId);
  await newChannel(ctx, iago, 'open');
  await newChannel(ctx, iago, 'vault', { subscriberIds: [guest.userId], settings: { isPrivate: true } });
  await aChannel('by name', { can_subscribe_group: namedGroup(inner) });
  await aChannel('by list', { can_add_subscribers_group: unnamed([bot], [inner]) });
  await aChannel('by role', { can_subscribe_group: namedGroup(roles['role:moderators']) });
  await aChannel('by standing', { can_administer_channel_group: namedGroup(roles['role:fullmembers']) });
  await aChannel('by another right', { can_send_message_group: namedGroup(inner) });
  await aChannel('by nothing', { can_administer_channel_group: namedGroup(roles['role:nobody']) });
  await newOrganization(ctx).then((stranger) => newChannel(ctx, stranger, 'elsewhere'));
  await setWaitingPeriod(3);
  const ids = await channelIds(ctx, olivia);
  const named = (names: string[]) => names.map((name) => ids[name] as number).sort((a, b) => a - b);

  const open = ['general', 'sandbox', 'tips', 'open'];
  const expected = new Map([
    [olivia, Object.keys(ids)],
    [administrator, Object.keys(ids)],
    [moderator, [...open, 'by role', 'by standing']],
    [iago, [...open, 'vault', 'by name', 'by list', 'by role', 'by another right']],
    [member, [...open, 'by name', 'by list']],
    [bot, [...open, 'by list']],
    [guest, ['general', 'sandbox', 'tips', 'vault']],
  ]);
  for (const [person, names] of expected) {
    expect(await seenEverywhere(person)).toEqual(Array(6).fill(named(names)));
  }
});

test('a change of visibility is announced: channels that appear with their subscribers, and channels that vanish', async () => {
  const guest = await newUser(ctx, olivia, { role: 600 });
  const open = await newChannel(ctx, iago, 'open', { subscriberIds: [iago.userId] });
  const before = (await publicEvents(ctx, olivia, 'stream')).length;
  const scope = { userIds: [guest.userId, iago.userId], channelIds: null };
  await ctx.db.transaction((tx) =>
    watchVisibility(tx, olivia.realmId, scope, ctx.clock.now(), async () => {
      await tx.query('update user_account set role = 400 where id = $1', [guest.userId]);
      await tx.query('update user_account set role = 600 where id = $1', [iago.userId]);
    }),
  );
  const events = [
    ...(await publicEvents(ctx, olivia, 'stream')).slice(before),
    ...(await publicEvents(ctx, olivia, 'subscription')).slice(-1),
  ];
  expect(events).toMatchObject([
    { audience: { to: 'users', userIds: [guest.userId] }, event: { op: 'create', streams: [{ stream_id: open }] } },
    {
      audience: { to: 'users', userIds: [guest.userId] },
      event: { op: 'peer_add', stream_ids: [open], user_ids: [iago.userId] },
    },
  ]);
});

test('inactive users see nothing', async () => {
  await deactivateUser(ctx, olivia, { userId: iago.userId });
  expect(await visibleTo(iago)).toEqual(new Map([[iago.userId, []]]));
});

test('members of a group with access to a channel’s metadata get the channel, and lose it with the membership', async () => {
  const [zoe, guest] = [await newUser(ctx, olivia), await newUser(ctx, olivia, { role: 600 })];
  const inner = await newGroup(ctx, olivia, { name: 'inner' });
  const outer = await newGroup(ctx, olivia, { name: 'outer', subgroups: ['inner'] });
  const channelId = await aChannel('vault', { can_subscribe_group: unnamed([], [outer, inner]) });
  const move = (groupId: number, over: object) =>
    changeGroupMembers(ctx, olivia, {
      groupId,
      addedIds: [],
      removedIds: [],
      addedSubgroupIds: [],
      removedSubgroupIds: [],
      ...over,
    });
  const last = async () => (await publicEvents(ctx, olivia, 'stream')).at(-1);

  await move(inner, { addedIds: [zoe.userId, guest.userId] });
  const toZoe = { to: 'users', userIds: [zoe.userId] };
  expect(await last()).toMatchObject({ audience: toZoe, event: { op: 'create', streams: [{ stream_id: channelId }] } });
  await move(inner, { removedIds: [zoe.userId] });
  expect(await last()).toMatchObject({ audience: toZoe, event: { op: 'delete', stream_ids: [channelId] } });
  const team = await newGroup(ctx, olivia, { name: 'team', members: [zoe] });
  await move(outer, { addedSubgroupIds: [team] });
  expect(await last()).toMatchObject({ audience: toZoe, event: { op: 'create' } });
  const count = (await publicEvents(ctx, olivia, 'stream')).length;
  await move(outer, { addedIds: [zoe.userId] });
  await move(team, { removedIds: [zoe.userId] });
  expect(await publicEvents(ctx, olivia, 'stream')).toHaveLength(count);
});

test('a right to join permits reading and posting with shared history, and reading received messages with protected history', async () => {
  const [zoe, guest] = [await newUser(ctx, olivia), await newUser(ctx, olivia, { role: 600 })];
  const team = await newGroup(ctx, olivia, { name: 'team', members: [zoe, guest] });
  const shared = await aChannel('shared', { can_subscribe_group: namedGroup(team) });
  const guarded = await aChannel('guarded', { can_add_subscribers_group: namedGroup(team) }, false);
  const posting = async (person: Person, channelId: number) => {
    const lists = {
      recipientIds: [],
      recipientEmails: [],
      mentionedNames: [],
      mentionedGroupNames: [],
      linkedChannelNames: [],
      emojiNames: [],
    };
    const query = { realmId: olivia.realmId, senderId: person.userId, channelId, ...lists };
    return (await getSendFacts(ctx, { queries: [query] })).facts[0]?.channel?.hasContentAccess;
  };
  const reading = async (person: Person, channelId: number) => {
    const facts = (await getReadFacts(ctx, person)).channels.find((channel) => channel.channelId === channelId);
    return facts && [facts.hasContentAccess, facts.mayReadHistory];
  };
  expect(await Promise.all([zoe, guest, olivia, iago].map((person) => posting(person, shared)))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(await Promise.all([zoe, guest].map((person) => posting(person, guarded)))).toEqual([false, false]);
  expect(await reading(zoe, shared)).toEqual([true, true]);
  expect(await reading(zoe, guarded)).toEqual([true, false]);
  expect(await reading(iago, shared)).toEqual([false, false]);
  expect(await reading(guest, shared)).toBeUndefined();
});

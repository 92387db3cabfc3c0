import type { Channel, KnownChannel, Subscription, User } from '@parley/shared/proto';
import { publicBot, publicChannel, publicGroup, publicUser } from '@parley/shared/wire';
import { contextOfTests, memberOfEachTest, ownerOfEachTest } from '../../test/each-test';
import { channelIds, crowd, join, leave, newGroup, newUser, type Person } from '../../test/examples';
import { insertBotService } from '../accounts/users.sql';
import { storeBotChange } from '../bot-owners/bots.sql';
import { channelReader, getChannelObjects, getGroupList, getSubscriberLists } from '../list-changes/list-versions';
import { listSubscribersAsJson } from '../list-changes/versions.sql';
import { createProfileField } from '../profiles/profile-fields';
import { setProfileValues } from '../profiles/profile-values';
import { ungrouped } from '../subscriptions/known-channels';
import { deactivateUser } from '../users/deactivate-user';
import { getUserLists } from '../users/user-lists';
import { getOwnState, registerReaders } from './get-own-state';
import { getRegisterState } from './get-register-state';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
const iago = memberOfEachTest(ctx, olivia);

const parse = (json: Uint8Array | string) => JSON.parse(Buffer.from(json as Buffer).toString());
const lists = { clientGravatar: true, includesProfiles: true, isDivided: true, isForVisitors: false, knownVersion: '' };
const readersOf = () => registerReaders(ctx, channelReader(ctx));
const ownState = (person: Person, isGrouped = true, readers = readersOf()) =>
  getOwnState(ctx, readers, person, { includesChannels: true, isPartial: false, isGrouped });

describe('the parts of the state are the whole state', () => {
  beforeEach(async () => {
    const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
    const gone = await newUser(ctx, olivia);
    const webhook = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
    const target = { payloadUrl: 'https://example.com', interface: 2, token: 'secret' };
    await ctx.db.query('update user_account set bot_type = 3 where id = $1', [webhook.userId]);
    await insertBotService(ctx.db, { realmId: olivia.realmId, userId: webhook.userId, ...target });
    const phone = { type: 1, name: 'Phone', hint: '', fieldData: '' };
    const flags = { isInSummary: false, isRequired: false, isEditableByUser: true };
    const { id: fieldId } = await createProfileField(ctx, olivia, { ...phone, ...flags });
    await setProfileValues(ctx, iago, { values: [{ fieldId, text: '<b>', userIds: null }] });
    await join(ctx, olivia, ['open', 'left'], { principalIds: [iago.userId, bot.userId, gone.userId] });
    await join(ctx, olivia, ['closed'], { newChannel: { isPrivate: true } });
    await leave(ctx, iago, ['left']);
    const { open, closed } = (await channelIds(ctx, olivia)) as Record<string, number>;
    const defaults = { sendingChannelId: open as number, eventsChannelId: closed as number };
    await storeBotChange(ctx.db, olivia.realmId, bot.userId, { ...defaults, hearsAllPublicChannels: true });
    await newGroup(ctx, olivia, { name: 'friends', members: [iago, gone] });
    await deactivateUser(ctx, olivia, { userId: gone.userId });
    await ctx.db.query('update user_account set email_address_visibility = 3 where id = $1', [bot.userId]);
  });

  const viewers: [string, () => Person][] = [
    ['an owner', () => olivia],
    ['a member', () => iago],
  ];
  const wholeFor = (viewer: Person) => getRegisterState(ctx, viewer, { includesSubscribers: true });

  test.each(viewers)('the own state, for %s', async (_who, viewerOf) => {
    const whole = await wholeFor(viewerOf());
    const none = {
      users: [],
      groups: [],
      channelSubscribers: [],
      subscriptions: [],
      unsubscribed: [],
      neverSubscribed: [],
    };
    const { state, bots } = await ownState(viewerOf());
    // Each reads a separate snapshot, and other databases of the server have transactions meanwhile.
    const snapshot = expect.any(String);
    expect(state).toEqual({ ...whole, ...none, snapshot, lists: { ...whole.lists, profiles: [] }, bots: [] });
    expect(whole.bots).toMatchObject([{ defaultSendingChannel: 'open' }, { webhook: { token: 'secret' } }]);
    expect(whole.bots[0]).not.toHaveProperty('defaultEventsChannel');
    expect(parse(bots as Buffer)).toEqual(whole.bots.map(publicBot));
  });

  test.each(viewers)('the own state for a gateway of the previous version, for %s', async (_who, viewerOf) => {
    const { state, channels, knownChannels } = await ownState(viewerOf(), false);
    expect(state?.bots).toEqual((await wholeFor(viewerOf())).bots);
    expect([channels, knownChannels]).toEqual([ungrouped((await ownState(viewerOf())).knownChannels), []]);
  });

  test.each(viewers)('channels, for %s', async (_who, viewerOf) => {
    const { subscriptions, unsubscribed, neverSubscribed } = await wholeFor(viewerOf());
    const { channels: objects } = await getChannelObjects(channelReader(ctx), viewerOf(), { knownVersion: '' });
    const objectOf = new Map(objects.map(({ id, json }) => [id, parse(json as Buffer)]));
    const channels = ungrouped((await ownState(viewerOf())).knownChannels);
    const partsOf = (isIn: (channel: KnownChannel) => boolean) =>
      channels.filter(isIn).map(({ channelId, subscription }) => [objectOf.get(channelId), propertiesOf(subscription)]);
    const wholesOf = (list: Subscription[]) =>
      list.map((subscription) => [shown(subscription.channel as Channel), propertiesOf(subscription)]);
    expect(partsOf(({ isSubscribed }) => isSubscribed)).toEqual(wholesOf(subscriptions));
    expect(partsOf((known) => known.subscription !== undefined && !known.isSubscribed)).toEqual(wholesOf(unsubscribed));
    expect(partsOf(({ subscription }) => !subscription)).toEqual(
      neverSubscribed.map((channel) => [shown(channel), {}]),
    );
  });

  test.each(viewers)('subscribers, for %s', async (_who, viewerOf) => {
    const { channelSubscribers } = await wholeFor(viewerOf());
    const known = new Set((await ownState(viewerOf())).knownChannels.flatMap(({ channelIds: ids }) => ids));
    const all = await getSubscriberLists(ctx, viewerOf(), { knownVersion: '', isPartial: false });
    const inParts = all.lists.filter(({ channelId }) => known.has(channelId));
    expect(inParts.map(({ channelId, userIds }) => ({ channelId, userIds: parse(userIds as Buffer) }))).toEqual(
      [...channelSubscribers].sort((a, b) => a.channelId - b.channelId),
    );
  });

  test('groups', async () => {
    const { groups } = await getGroupList(ctx, iago, { includesDeactivated: true, knownVersion: '' });
    expect(parse(groups as Buffer)).toEqual((await wholeFor(iago)).groups.map(publicGroup));
  });

  test.each(viewers)('users, for %s', async (_who, viewerOf) => {
    const { users, lists: ofOrganization, ownUser } = await wholeFor(viewerOf());
    const { role } = ownUser as User;
    const inParts = await getUserLists(ctx, viewerOf(), { ...lists, viewerRole: role });
    const values = new Map(ofOrganization?.profiles.map((profile) => [profile.userId, profile.values]));
    const present = (isIn: (user: User) => boolean) =>
      users.filter(isIn).map((user) => {
        const isDeliveryEmailShown = user.emailAddressVisibility === 1 || role <= 200;
        const view = { clientGravatar: true, isActivityShown: false, isDeliveryEmailShown };
        return publicUser(user, view, values.get(user.id) ?? []);
      });
    expect(parse(inParts.users as Buffer)).toEqual(present((user) => user.isActive && !user.isSystemBot));
    expect(parse(inParts.nonActiveUsers as Buffer)).toEqual(present((user) => !user.isActive));
    expect(parse(inParts.systemBots as Buffer)).toEqual(present((user) => user.isSystemBot === true));
  });
});

test('bots that administrators share are always current, and those of owners are for owners only', async () => {
  const readers = readersOf();
  const botsOf = async (person: Person) => parse((await ownState(person, true, readers)).bots);
  const admin = await newUser(ctx, olivia, { role: 200 });
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
  await join(ctx, olivia, ['open'], { principalIds: [iago.userId] });
  const { open } = (await channelIds(ctx, olivia)) as Record<string, number>;
  const inChannels = 'update channel set name = $2, name_key = $2, is_private = $3 where id = $1';
  const changes: (() => Promise<unknown>)[] = [
    () => storeBotChange(ctx.db, olivia.realmId, bot.userId, { sendingChannelId: open as number }),
    () => ctx.db.query(inChannels, [open, 'renamed', true]),
    () => leave(ctx, iago, ['renamed']),
    () => insertBotService(ctx.db, { ...bot, payloadUrl: 'https://example.com', interface: 2, token: 'secret' }),
    () => ctx.db.query('update user_account set bot_type = 3 where id = $1', [bot.userId]),
    () => ctx.db.query('update bot_service set interface = 1 where user_id = $1', [bot.userId]),
    () => ctx.db.query('delete from bot_service where user_id = $1', [bot.userId]),
    () => ctx.db.query('update user_account set role = 100 where id = $1', [bot.userId]),
  ];
  const states = [];
  for (const change of changes) {
    await botsOf(olivia);
    await change();
    for (const person of [olivia, admin, iago]) {
      const { bots } = await getRegisterState(ctx, person, { includesSubscribers: false });
      expect(await botsOf(person)).toEqual(bots.map(publicBot));
      states.push(JSON.stringify(bots));
    }
  }
  expect(new Set(states).size).toBeGreaterThan(changes.length);
});

function shown(channel: Channel) {
  const { first_message_id: _id, ...known } = publicChannel(channel);
  return known;
}

function propertiesOf(subscription: Subscription | null | undefined) {
  const { channel: _channel, ...properties } = subscription ?? {};
  return properties;
}

test('a partial list has bots and recently active users; small channels are listed in full', async () => {
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  const [present, away] = await crowd(ctx, olivia, 2);
  await join(ctx, olivia, ['large'], { principalIds: [bot.userId, iago.userId, present as number, away as number] });
  const presence = 'insert into user_presence (realm_id, user_id, connected_at, update_id) values ($1, $2, $3, $4)';
  const nowMs = ctx.clock.now();
  await ctx.db.query(presence, [olivia.realmId, present, new Date(nowMs), 1]);
  await ctx.db.query(presence, [olivia.realmId, away, new Date(nowMs - 1_000), 2]);
  const { large, general } = await channelIds(ctx, olivia);
  const view = { maxSubscribersInFull: 3, presentSinceMs: nowMs - 1_000 };
  const rows = await listSubscribersAsJson(ctx.db, olivia.realmId, view);
  expect(rows.find(({ channelId }) => channelId === large)).toEqual({
    channelId: large,
    userIds: JSON.stringify([bot.userId, present]),
    isPartial: true,
  });
  expect(rows.find(({ channelId }) => channelId === general)).toMatchObject({ isPartial: false });
});

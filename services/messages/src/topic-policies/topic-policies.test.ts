import { topicPolicyChanged } from '@parley/shared/events';
import type { SetTopicPolicyRequest, User } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { createFakeClock } from '@parley/shared/testing';
import type { UserSettings } from '@parley/shared/values';
import { announcedBy } from '../../test/announced';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';

const clock = createFakeClock();
let network: MessagesUnderTest;
let ann: User;
let bob: User;
let bot: User;
let lobby: PeerChannel;
let vault: PeerChannel;

beforeAll(async () => {
  network = await startMessages({ clock });
  const { realm } = network;
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  bot = realm.addUser('Robo', { isBot: true, botOwnerId: ann.id });
  lobby = realm.addChannel('Lobby', { subscriberCount: 2 });
  vault = realm.addChannel('Vault', { isPrivate: true, isHistoryPublic: false, subscriberCount: 2 });
  realm.subscribe(lobby, ann, bob);
  realm.subscribe(vault, ann);
});

afterAll(() => network.stop());

const set = (user: User, topic: string, policy: number, facts: Partial<SetTopicPolicyRequest> = {}) =>
  network.client.setTopicPolicy(callerOf(user), {
    ...('channelName' in facts ? {} : { channelId: lobby.id }),
    topic,
    policy,
    ...facts,
  });

async function policyOf(user: User, topic: string): Promise<number | undefined> {
  const { topicPolicies } = await network.client.listTopicPolicies(callerOf(user), {});
  return topicPolicies.find((one) => one.topic.toLowerCase() === topic.toLowerCase())?.policy;
}

const send = async (user: User, topic: string, content = 'hi', channel = lobby) =>
  (await network.client.sendMessage(callerOf(user), toChannel(channel.id, topic, content)))
    .automaticNewVisibilityPolicy;

const choose = (user: User, settings: Partial<UserSettings>) => network.realm.settings.set(user.id, settings);
const changes = (run: () => Promise<unknown>) => announcedBy(network.service.db, topicPolicyChanged, run);

test('the users with a policy for topics, where it is shown', async () => {
  const { realmId } = callerOf(ann);
  await set(ann, 'Games', 3);
  await set(bob, 'games', 1);
  const topics = ['Nothing', 'GAMES'].map((topic) => ({ realmId, channelId: lobby.id, topic }));
  const of = { userIds: [ann.id, bob.id], policies: [3, 1] };
  expect(await network.client.getPoliciesOfTopics(newCall(), { topics })).toEqual({
    topics: [{ userIds: [], policies: [] }, of],
  });
  await network.service.db.query('update topic_policy set is_shown = false where user_id = $1', [bob.id]);
  const [, left] = (await network.client.getPoliciesOfTopics(newCall(), { topics })).topics;
  expect(left).toEqual({ userIds: [ann.id], policies: [3] });
  await network.service.db.query('delete from topic_policy');
  const many = Array.from({ length: 1_001 }, () => topics[0] as (typeof topics)[number]);
  await expect(network.client.getPoliciesOfTopics(newCall(), { topics: many })).rejects.toThrow('Too many topics');
});

describe('a policy for a topic', () => {
  test('is stored regardless of the casing of the topic, announced when it changes, and deleted by 0', async () => {
    const entry = { channelId: lobby.id, topic: 'Noise', updatedAtMs: clock.now() };
    const muted = { ...entry, channelName: 'Lobby', policy: 1 };
    expect(await changes(() => set(ann, ' Noise ', 1))).toEqual([
      { userId: ann.id, topicPolicy: muted, changesMuted: true },
    ]);
    expect(await changes(() => set(ann, 'noise', 1))).toEqual([]);
    expect(await network.client.listTopicPolicies(callerOf(ann), {})).toEqual({ topicPolicies: [muted] });
    expect(await changes(() => set(ann, 'NOISE', 3))).toMatchObject([
      { topicPolicy: { policy: 3 }, changesMuted: true },
    ]);
    const [unmuted] = await changes(() => set(ann, 'noise', 2));
    expect(unmuted).not.toHaveProperty('changesMuted');
    expect(await changes(() => set(ann, 'noise', 0))).toMatchObject([{ topicPolicy: { policy: 0 } }]);
    expect(await changes(() => set(ann, 'noise', 0))).toEqual([]);
    expect(await policyOf(ann, 'noise')).toBeUndefined();
  });

  test('is about a channel that they can read, by id or by name', async () => {
    await set(ann, 'by name', 1, { channelName: 'LOBBY' });
    expect(await policyOf(ann, 'by name')).toBe(1);
    await expect(set(ann, 'x', 1, { channelName: 'Nowhere' })).rejects.toThrow("Invalid channel name 'Nowhere'");
    await expect(set(bob, 'x', 1, { channelId: vault.id })).rejects.toThrow('Invalid channel ID');
    await expect(set(bob, 'x', 0, { channelId: vault.id })).rejects.toThrow('Invalid channel ID');
    await expect(set(ann, 'a\nb', 1)).rejects.toThrow('Invalid character in topic, at position 2!');
  });

  test('can be taken back when the channel is out of sight', async () => {
    await set(ann, 'secret', 1, { channelId: vault.id });
    network.realm.unsubscribe(vault, ann);
    vault.intervals.delete(ann.id);
    expect(await policyOf(ann, 'secret')).toBeUndefined();
    await set(ann, 'secret', 0, { channelId: vault.id });
    network.realm.subscribe(vault, ann);
    expect(await policyOf(ann, 'secret')).toBeUndefined();
  });
});

describe('sending', () => {
  test('makes the user who creates a topic follow it, and announces that once', async () => {
    const events = await changes(async () => {
      expect(await send(ann, 'Begun')).toBe(3);
      expect(await send(ann, 'begun')).toBeUndefined();
      expect(await send(bob, 'begun')).toBeUndefined();
    });
    const topicPolicy = { channelId: lobby.id, topic: 'Begun', policy: 3, updatedAtMs: clock.now() };
    expect(events).toEqual([{ userId: ann.id, topicPolicy }]);
    expect([await policyOf(ann, 'Begun'), await policyOf(bob, 'Begun')]).toEqual([3, undefined]);
  });

  test('also where a topic has ended and is created again, which this replica may not know', async () => {
    expect(await send(ann, 'phoenix')).toBe(3);
    expect(await send(ann, 'phoenix')).toBeUndefined();
    const { db } = network.service;
    await db.query(`delete from message where conversation_id = (select id from topic where name = 'phoenix')`);
    await db.query(`delete from topic where name = 'phoenix'`);
    await db.query(`delete from topic_policy where name = 'phoenix'`);
    expect(await Promise.all([send(bob, 'phoenix'), send(bob, 'elsewhere')])).toEqual([3, 3]);
    expect(await policyOf(bob, 'phoenix')).toBe(3);
  });

  test('of several first messages at once makes one of the senders follow', async () => {
    const answers = await Promise.all([send(ann, 'race'), send(bob, 'race'), send(ann, 'race')]);
    expect(answers.filter((policy) => policy === 3).length).toBeGreaterThan(0);
    const followers = [await policyOf(ann, 'race'), await policyOf(bob, 'race')].filter((policy) => policy === 3);
    expect(followers).toEqual([3]);
  });

  test('changes nothing for bots, and nothing in direct messages', async () => {
    const events = await changes(async () => {
      expect(await send(bot, 'by a bot')).toBeUndefined();
      await network.client.sendMessage(callerOf(ann), toUsers([bob], 'hi'));
    });
    expect(events).toEqual([]);
  });

  test('keeps an existing policy, unless the sender’s setting covers more than creating topics', async () => {
    await set(ann, 'decided', 1);
    expect(await send(ann, 'decided')).toBeUndefined();
    choose(ann, { automatically_follow_topics_policy: 2 });
    expect(await send(ann, 'decided')).toBe(3);
    expect(await send(ann, 'decided')).toBeUndefined();
    choose(ann, {});
  });

  test('unmutes a topic of a muted channel', async () => {
    lobby.mutedByIds.add(bob.id);
    choose(bob, { automatically_follow_topics_policy: 4, automatically_unmute_topics_in_muted_streams_policy: 2 });
    expect(await send(bob, 'begun')).toBe(2);
    expect(await send(bob, 'begun')).toBeUndefined();
    lobby.mutedByIds.delete(bob.id);
    expect(await send(bob, 'other')).toBeUndefined();
    choose(bob, {});
  });

  test('where earlier messages are hidden, the first one that the sender sees begins the topic', async () => {
    expect(await send(ann, 'hidden', 'hi', vault)).toBe(3);
    network.realm.subscribe(vault, bob);
    expect(await send(bob, 'hidden', 'hi', vault)).toBe(3);
    expect(await send(bob, 'hidden', 'hi', vault)).toBeUndefined();
  });

  test('a mention makes users with that setting follow the topic, unless they have muted it', async () => {
    choose(bob, { automatically_follow_topics_where_mentioned: true });
    const mention = (topic: string) => () => send(ann, topic, '@**Bob** @**Robo**');
    await send(ann, 'called');
    expect(await changes(mention('called'))).toMatchObject([{ userId: bob.id, topicPolicy: { policy: 3 } }]);
    expect(await changes(mention('called'))).toEqual([]);
    await send(ann, 'quiet');
    await set(bob, 'quiet', 1);
    expect(await changes(mention('quiet'))).toEqual([]);
    await send(ann, 'silent');
    expect(await changes(() => send(ann, 'silent', '@_**Bob**'))).toEqual([]);
  });
});

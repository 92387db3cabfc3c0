import {
  addReaction,
  changeGroupMembers,
  createChannel,
  createGroup,
  createReminder,
  editMessage,
  getMessage,
  getMessageHistory,
  getMessages,
  getReadReceipts,
  getTemporaryFileUrl,
  listTopics,
  matchNarrow,
  registerQueue,
  removeReaction,
  reportMessage,
  sendMessage,
  subscribe,
  unsubscribe,
  updateChannel,
  updateFlags,
  updateRealm,
  updateUser,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { type TestClient, TestNetwork } from '../../src';
import { uploadFile } from '../multipart';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({ settings: { RATE_LIMITS: 'off' } });
  const { iris } = network;
  const requests = await iris.call(createChannel, { name: 'requests', subscribers: [iris.userId], invite_only: true });
  await iris.call(updateRealm, { moderation_request_channel_id: requests.id });
});
afterAll(() => network.stop());

/** A message with everything that can be read of it: a file, a wildcard mention, a reaction, a former content. */
interface Sample {
  id: number;
  channelId: number;
  channelName: string;
  topic: string;
  /** Below /user_uploads/. */
  file: { realm_id_str: number; filename: string };
}

let samples = 0;

async function newChannel(settings: object, ...people: TestClient[]): Promise<{ id: number; name: string }> {
  samples += 1;
  const name = `vault ${samples}`;
  const subscribers = people.map(({ userId }) => userId);
  const { id } = await network.dan.call(createChannel, { name, subscribers, ...settings });
  return { id, name };
}

async function newSample(channel: { id: number; name: string }): Promise<Sample> {
  const { dan } = network;
  samples += 1;
  const [url, topic] = [await uploadFile(dan, { name: 'plan.txt', bytes: 'secret' }), `topic ${samples}`];
  const { id } = await dan.call(sendMessage, { type: 'channel', to: channel.id, topic, content: 'before' });
  const content = `wolpertinger @**all** [plan](${url}) and https://example.com/`;
  await dan.call(editMessage, { message_id: id, content });
  await dan.call(addReaction, { message_id: id, emoji_name: 'tada' });
  const [, , realm, ...path] = url.split('/');
  const file = { realm_id_str: Number(realm), filename: path.join('/') };
  return { id, channelId: channel.id, channelName: channel.name, topic, file };
}

type Narrow = { operator: string; operand: string | number }[];

/** Every way to access a message, and whether it works for a user. */
const WAYS: Record<string, (client: TestClient, sample: Sample) => Promise<boolean>> = {
  'by its id': async (client, { id }) => succeeds(client.call(getMessage, { message_id: id })),
  'by ids': async (client, { id }) => {
    const { messages } = await client.call(getMessages, { message_ids: [id] });
    return messages.some((message) => message.id === id);
  },
  feed: (client, sample) => isFound(client, sample, []),
  'narrow to the channel': (client, sample) => isFound(client, sample, [channelOf(sample)]),
  'narrow to the channel by name': (client, sample) =>
    isFound(client, sample, [{ operator: 'channel', operand: sample.channelName }]),
  'narrow to the topic': (client, sample) => isFound(client, sample, [{ operator: 'topic', operand: sample.topic }]),
  'narrow to the sender': (client, sample) =>
    isFound(client, sample, [{ operator: 'sender', operand: network.dan.userId }]),
  'narrow to its id': (client, sample) => isFound(client, sample, [{ operator: 'id', operand: sample.id }]),
  'narrow with it': (client, sample) => isFound(client, sample, [{ operator: 'with', operand: sample.id }]),
  'narrow to links': (client, sample) => isFound(client, sample, [{ operator: 'has', operand: 'attachment' }]),
  'narrow to reactions': (client, sample) => isFound(client, sample, [{ operator: 'has', operand: 'reaction' }]),
  'narrow to mentions': (client, sample) => isFound(client, sample, [{ operator: 'is', operand: 'mentioned' }]),
  search: (client, sample) => isFound(client, sample, [{ operator: 'search', operand: 'wolpertinger' }]),
  'what a narrow leaves': async (client, { id }) => {
    const narrow = [{ operator: 'search', operand: 'wolpertinger' }];
    return String(id) in (await client.call(matchNarrow, { msg_ids: [id], narrow })).messages;
  },
  topics: async (client, { channelId, topic }) => {
    const { topics } = await client.call(listTopics, { stream_id: channelId }).catch(() => ({ topics: [] }));
    return topics.some(({ name }) => name === topic);
  },
  history: (client, { id }) => succeeds(client.call(getMessageHistory, { message_id: id })),
  'read receipts': (client, { id }) => succeeds(client.call(getReadReceipts, { message_id: id })),
  file: async (client, { file }) => {
    const path = `/user_uploads/${file.realm_id_str}/${file.filename}`;
    return (await client.callRaw({ method: 'GET', path })).status === 200;
  },
  'file, by another address': (client, { file }) => succeeds(client.call(getTemporaryFileUrl, file)),
  reacting: async (client, { id }) => {
    const reaction = { message_id: id, emoji_name: 'heart' };
    if (!(await succeeds(client.call(addReaction, reaction)))) return false;
    return succeeds(client.call(removeReaction, reaction));
  },
  starring: async (client, { id }) => {
    const flag = { messages: [id], flag: 'starred' };
    if (!(await succeeds(client.call(updateFlags, { ...flag, op: 'add' })))) return false;
    const { starred_messages: starred } = await client.call(registerQueue, { fetch_event_types: ['starred_messages'] });
    return (
      (starred as number[]).includes(id) && (await isFound(client, { id }, [{ operator: 'is', operand: 'starred' }]))
    );
  },
  reminding: (client, { id }) => {
    const scheduled_delivery_timestamp = Math.floor(Date.now() / 1_000) + 86_400;
    return succeeds(client.call(createReminder, { message_id: id, scheduled_delivery_timestamp }));
  },
  reporting: (client, { id }) =>
    succeeds(client.call(reportMessage, { message_id: id, report_type: 'spam', description: '' })),
};

/** Ways that show received messages only. */
const OF_RECEIVED = [
  'feed',
  'narrow to the topic',
  'narrow to the sender',
  'narrow to its id',
  'narrow to links',
  'narrow to reactions',
  'narrow to mentions',
  'search',
  'what a narrow leaves',
];

const EVERYTHING = Object.keys(WAYS);

function succeeds(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

function channelOf({ channelId }: Sample) {
  return { operator: 'channel', operand: channelId };
}

async function isFound(client: TestClient, { id }: Pick<Sample, 'id'>, narrow: Narrow): Promise<boolean> {
  const around = { anchor: String(id), num_before: 0, num_after: 0, narrow };
  const { messages } = await client.call(getMessages, around).catch(() => ({ messages: [] as { id: number }[] }));
  return messages.some((message) => message.id === id);
}

/** The ways by which a user can access the message. */
async function waysOf(client: TestClient, sample: Sample): Promise<string[]> {
  const open: string[] = [];
  for (const [name, isOpen] of Object.entries(WAYS)) if (await isOpen(client, sample)) open.push(name);
  return open;
}

const without = (ways: readonly string[], others: readonly string[]) => ways.filter((way) => !others.includes(way));

test('received messages are readable by every endpoint for subscribers, and by none for others, administrators included', async () => {
  const { dan, eve, faye, iris, zoe } = network;
  const sample = await newSample(await newChannel({ invite_only: true }, dan, eve, faye));
  expect(await waysOf(dan, sample)).toEqual(EVERYTHING);
  expect(await waysOf(eve, sample)).toEqual(EVERYTHING);
  expect(await waysOf(faye, sample)).toEqual(EVERYTHING);
  expect(await waysOf(iris, sample)).toEqual([]);
  expect(await waysOf(zoe, sample)).toEqual([]);
});

test('a user who was removed or left reads nothing, and all of it again after joining', async () => {
  const { dan, eve, faye, iris } = network;
  const channel = await newChannel({ invite_only: true, history_public_to_subscribers: false }, dan, eve, faye);
  const sample = await newSample(channel);
  expect(await waysOf(eve, sample)).toEqual(EVERYTHING);
  await iris.call(unsubscribe, { subscriptions: [channel.name], principals: [eve.userId, faye.userId] });
  expect(await waysOf(eve, sample)).toEqual([]);
  expect(await waysOf(faye, sample)).toEqual([]);
  const { unread_msgs: unread } = await eve.call(registerQueue, {});
  expect(JSON.stringify(unread)).not.toContain(String(sample.id));
  const missed = await newSample(channel);
  await dan.call(subscribe, { subscriptions: [{ name: channel.name }], principals: [eve.userId, faye.userId] });
  expect(await waysOf(eve, sample)).toEqual(EVERYTHING);
  expect(await waysOf(faye, sample)).toEqual(EVERYTHING);
  // History is protected: messages sent meanwhile stay unread.
  expect(await waysOf(eve, missed)).toEqual([]);
});

test('with a right to join, a user reads shared history, until the right is removed or the user becomes a guest', async () => {
  const { dan, eve, iris } = network;
  const channel = await newChannel({ invite_only: true, history_public_to_subscribers: true }, dan);
  const sample = await newSample(channel);
  const settingOf = (...members: number[]) => ({ direct_members: members, direct_subgroups: [] });
  const give = (...members: number[]) =>
    dan.call(updateChannel, { stream_id: channel.id, can_subscribe_group: { new: settingOf(...members) } });
  expect(await waysOf(eve, sample)).toEqual([]);
  await give(eve.userId);
  expect(await waysOf(eve, sample)).toEqual(without(EVERYTHING, OF_RECEIVED));
  await give();
  expect(await waysOf(eve, sample)).toEqual([]);
  await give(eve.userId);
  await iris.call(updateUser, { user_id: eve.userId, role: 600 });
  expect(await waysOf(eve, sample)).toEqual([]);
  await iris.call(updateUser, { user_id: eve.userId, role: 400 });
});

test('received messages of a public channel stay readable after leaving it, until the channel becomes private', async () => {
  const { dan, eve } = network;
  const channel = await newChannel({}, dan, eve);
  const sample = await newSample(channel);
  await eve.call(unsubscribe, { subscriptions: [channel.name] });
  expect(await waysOf(eve, sample)).toEqual(EVERYTHING);
  await dan.call(updateChannel, { stream_id: channel.id, is_private: true });
  expect(await waysOf(eve, sample)).toEqual([]);
});

test('a message moved to a private channel is lost to users outside it', async () => {
  const { dan, eve, iris } = network;
  const from = await newChannel({}, dan, eve, iris);
  const to = await newChannel({ invite_only: true }, dan, eve);
  const sample = await newSample(from);
  await dan.call(editMessage, { message_id: sample.id, stream_id: to.id, propagate_mode: 'change_all' });
  expect(await waysOf(iris, sample)).toEqual([]);
  const moved = { ...sample, channelId: to.id, channelName: to.name };
  expect(await waysOf(eve, moved)).toEqual(EVERYTHING);
  await eve.call(unsubscribe, { subscriptions: [to.name] });
  expect(await waysOf(eve, moved)).toEqual([]);
});

test('linking to a file without access to it gives access to no one', async () => {
  const { dan, eve, iris } = network;
  const channel = await newChannel({ invite_only: true }, dan, eve);
  const sample = await newSample(channel);
  const path = `/user_uploads/${sample.file.realm_id_str}/${sample.file.filename}`;
  await eve.call(unsubscribe, { subscriptions: [channel.name] });
  await eve.call(sendMessage, { type: 'channel', to: 'general', topic: 'x', content: `[plan](${path})` });
  for (const client of [eve, iris]) {
    expect(await client.callRaw({ method: 'GET', path })).toMatchObject({ status: 403 });
  }
});

describe('stars are hidden and shown with access to the channel, with events', () => {
  /** Stars the message; then returns, after each change, the client's events and the state of a new client. */
  async function starring(client: TestClient, { id }: Sample) {
    await client.call(updateFlags, { messages: [id], op: 'add', flag: 'starred' });
    const events = await client.events();
    return async (change: Promise<unknown>) => {
      await change;
      await network.settle();
      const received = (await events.rest()).filter(
        ({ type, flag }) => type === 'update_message_flags' && flag === 'starred',
      );
      const { starred_messages: stars } = await client.call(registerQueue, {});
      return [...received.map(({ op, messages }) => [op, messages]), (stars as number[]).includes(id)];
    };
  }

  test('of users who leave it and come back, administrators too', async () => {
    const { dan, eve, iris } = network;
    const channel = await newChannel({ invite_only: true }, dan, eve, iris);
    const sample = await newSample(channel);
    for (const client of [eve, iris]) {
      const after = await starring(client, sample);
      const subscriptions = [{ name: channel.name }];
      const leave = client.call(unsubscribe, { subscriptions: [channel.name] });
      expect(await after(leave)).toEqual([['remove', [sample.id]], false]);
      const comeBack = dan.call(subscribe, { subscriptions, principals: [client.userId] });
      expect(await after(comeBack)).toEqual([['add', [sample.id]], true]);
    }
  });

  test('follows membership of groups, and settings of the channel', async () => {
    const { dan, eve } = network;
    const channel = await newChannel({}, dan, eve);
    const sample = await newSample(channel);
    const after = await starring(eve, sample);
    const change = (over: object) => dan.call(updateChannel, { stream_id: channel.id, ...over });
    const settingOf = (...members: number[]) => ({ new: { direct_members: members, direct_subgroups: [] } });
    expect(await after(eve.call(unsubscribe, { subscriptions: [channel.name] }))).toEqual([true]);
    const shared = { is_private: true, history_public_to_subscribers: true };
    expect(await after(change(shared))).toEqual([['remove', [sample.id]], false]);
    const given = change({ can_subscribe_group: settingOf(eve.userId) });
    expect(await after(given)).toEqual([['add', [sample.id]], true]);
    const taken = change({ can_subscribe_group: settingOf() });
    expect(await after(taken)).toEqual([['remove', [sample.id]], false]);
    expect(await after(change({ is_private: false }))).toEqual([['add', [sample.id]], true]);
  });

  test('of administrators, who still see the channel', async () => {
    const { dan, iris, faye } = network;
    const team = await iris.call(createGroup, { name: 'readers', description: '', members: [] });
    const channel = await newChannel({}, dan, iris);
    const sample = await newSample(channel);
    const after = await starring(iris, sample);
    const change = (over: object) => dan.call(updateChannel, { stream_id: channel.id, ...over });
    const isIn = (over: object) => iris.call(changeGroupMembers, { user_group_id: team.group_id, ...over });
    expect(await after(iris.call(unsubscribe, { subscriptions: [channel.name] }))).toEqual([true]);
    expect(await after(change({ is_private: true, history_public_to_subscribers: true }))).toEqual([
      ['remove', [sample.id]],
      false,
    ]);
    expect(await after(change({ can_subscribe_group: { new: team.group_id } }))).toEqual([false]);
    expect(await after(isIn({ add: [iris.userId, faye.userId] }))).toEqual([['add', [sample.id]], true]);
    expect(await after(isIn({ delete: [iris.userId] }))).toEqual([['remove', [sample.id]], false]);
    expect(await after(change({ is_private: false }))).toEqual([['add', [sample.id]], true]);
  });

  test('of guests who left it while it was public', async () => {
    const { dan, eve, iris } = network;
    await iris.call(updateUser, { user_id: eve.userId, role: 600 });
    const channel = await newChannel({}, dan, eve);
    const sample = await newSample(channel);
    const after = await starring(eve, sample);
    expect(await after(eve.call(unsubscribe, { subscriptions: [channel.name] }))).toEqual([true]);
    const change = (over: object) => dan.call(updateChannel, { stream_id: channel.id, ...over });
    expect(await after(change({ is_private: true }))).toEqual([['remove', [sample.id]], false]);
    expect(await after(change({ is_private: false }))).toEqual([['add', [sample.id]], true]);
    await iris.call(updateUser, { user_id: eve.userId, role: 400 });
  });

  test('of messages not received, with the history', async () => {
    const { dan, eve } = network;
    const channel = await newChannel({ invite_only: true, history_public_to_subscribers: true }, dan);
    const sample = await newSample(channel);
    await dan.call(subscribe, { subscriptions: [{ name: channel.name }], principals: [eve.userId] });
    const after = await starring(eve, sample);
    const change = (over: object) => dan.call(updateChannel, { stream_id: channel.id, ...over });
    expect(await after(change({ history_public_to_subscribers: false }))).toEqual([['remove', [sample.id]], false]);
    expect(await after(change({ history_public_to_subscribers: true }))).toEqual([['add', [sample.id]], true]);
  });
});

describe('topic policies are hidden and shown with access to the channel, with events', () => {
  /** Mutes the topic; then returns, after each change, the client's events and the state of a new client. */
  async function muting(client: TestClient, { id, name }: { id: number; name: string }) {
    const topic = `noise in ${id}`;
    await client.call(updateUserTopic, { stream_id: id, topic, visibility_policy: 1 });
    await network.settle();
    const old = await client.events({ event_types: ['muted_topics'] });
    const queue = await client.events({ event_types: ['user_topic'] });
    const isOf = (topics: unknown) => JSON.stringify(topics).includes(topic);
    return async (change: Promise<unknown>) => {
      await change;
      await network.settle();
      // The event with all muted topics is a consequence of another one.
      await network.settle();
      const received = (await queue.rest()).map(({ visibility_policy: policy }) => policy);
      const all = (await old.rest()).map(({ muted_topics: topics }) => isOf(topics));
      const { user_topics: topics } = await client.call(registerQueue, { fetch_event_types: ['user_topic'] });
      const { muted_topics: muted } = await client.call(registerQueue, { fetch_event_types: ['muted_topics'] });
      expect(JSON.stringify(muted).includes(name)).toBe(isOf(topics));
      return [received, all, isOf(topics)];
    };
  }

  const SHOWN = [[1], [true], true];
  const HIDDEN = [[0], [false], false];

  test('of users who leave it and come back, administrators too', async () => {
    const { dan, eve, iris } = network;
    const channel = await newChannel({ invite_only: true }, dan, eve, iris);
    for (const client of [eve, iris]) {
      const after = await muting(client, channel);
      expect(await after(client.call(unsubscribe, { subscriptions: [channel.name] }))).toEqual(HIDDEN);
      const subscriptions = [{ name: channel.name }];
      const comeBack = () => dan.call(subscribe, { subscriptions, principals: [client.userId] });
      expect(await after(comeBack())).toEqual(SHOWN);
    }
  });

  test('of users who lose access by its privacy, but not of users who leave a public channel', async () => {
    const { dan, eve, iris } = network;
    const channel = await newChannel({}, dan, eve, iris);
    const change = (over: object) => dan.call(updateChannel, { stream_id: channel.id, ...over });
    for (const client of [eve, iris]) {
      const after = await muting(client, channel);
      expect(await after(client.call(unsubscribe, { subscriptions: [channel.name] }))).toEqual([[], [], true]);
      expect(await after(change({ is_private: true }))).toEqual(HIDDEN);
      expect(await after(change({ new_name: `${channel.name}!` }))).toEqual([[], [], false]);
      expect(await after(change({ is_private: false, new_name: channel.name }))).toEqual(SHOWN);
      expect(await after(client.call(subscribe, { subscriptions: [{ name: channel.name }] }))).toEqual([[], [], true]);
    }
  });
});

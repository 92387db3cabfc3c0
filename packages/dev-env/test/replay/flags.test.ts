import {
  addReaction,
  archiveChannel,
  createChannel,
  deleteMessage,
  deleteTopic,
  editMessage,
  findChannel,
  getMessage,
  getMessages,
  removeReaction,
  sendMessage,
  subscribe,
  unsubscribe,
  updateChannel,
  updateFlags,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { type EventQueue, type PublicEvent, type TestClient, TestNetwork } from '../../src';
import { expectFreshEqualsReplayed, type Followers, followEveryone, makeReady } from './harness';
import { messagesReceived } from './messages-received';

let network: TestNetwork;
let followers: Followers;
const channelIds: Record<string, number> = {};

/** All of these are public. Iris and Dan are everywhere, Eve is in the kitchen and in the garden, Robo in the kitchen. */
beforeAll(async () => {
  network = await TestNetwork.create();
  const { iris, dan, eve, robo } = network;
  const idsOf = (...people: TestClient[]) => people.map(({ userId }) => userId);
  await iris.call(subscribe, { subscriptions: [{ name: 'kitchen' }], principals: idsOf(iris, dan, eve, robo) });
  const others = ['attic', 'cellar', 'garden'];
  const subscriptions = others.map((name) => ({ name }));
  await iris.call(subscribe, { subscriptions, principals: idsOf(iris, dan, eve) });
  // By it clients know what messages there are grouped by.
  for (const name of others) await send(iris, name, 'first');
  await eve.call(unsubscribe, { subscriptions: ['attic', 'cellar'] });
  followers = await followEveryone(network, {}, messagesReceived);
  const channels = followers[0]?.state['streams'] as { name: string; stream_id: number }[];
  for (const { name, stream_id } of channels) channelIds[name] = stream_id;
});
afterAll(() => network.stop());

const expectReplayed = (produced: readonly string[], action: () => Promise<unknown>) =>
  expectFreshEqualsReplayed(network, followers, produced, action);

async function send(client: TestClient, channel: string, topic: string, content = 'Hello'): Promise<number> {
  return (await client.call(sendMessage, { type: 'channel', to: channel, topic, content })).id;
}

/** Messages from before the action, which everybody has already. */
function given<T>(make: () => Promise<T>): Promise<T> {
  return makeReady(network, followers, make);
}

const star = (client: TestClient, ...messages: number[]) =>
  client.call(updateFlags, { messages, op: 'add', flag: 'starred' });
const moveTo = (channel: string, message_id: number, topic?: string) =>
  network.iris.call(editMessage, {
    ...{ message_id, stream_id: channelIds[channel] as number, propagate_mode: 'change_all' },
    ...(topic !== undefined && { topic }),
    send_notification_to_new_thread: false,
  });
const leave = (client: TestClient, name: string) => client.call(unsubscribe, { subscriptions: [name] });
const join = (client: TestClient, name: string) => client.call(subscribe, { subscriptions: [{ name }] });

const flagsOf = async (client: TestClient, message_id: number) =>
  (await client.call(getMessage, { message_id })).message.flags.filter((flag) => flag !== 'historical').sort();

async function eventsOf(queue: EventQueue): Promise<PublicEvent[]> {
  await network.settle();
  return queue.rest();
}

/** Compares the flags in the newest `update_message` with those that GET answers at the same time. */
async function expectFlags(client: TestClient, queue: EventQueue, messageId: number, flags: string[]): Promise<void> {
  const edits = (await eventsOf(queue)).filter(({ type }) => type === 'update_message');
  const received = edits.at(-1)?.['flags'] as string[] | undefined;
  expect(received && [...received].sort()).toEqual(flags);
  expect(await flagsOf(client, messageId)).toEqual(flags);
}

describe('a message of a public channel without a subscription', () => {
  const deeds: [string, (eve: TestClient, id: number) => Promise<unknown>][] = [
    ['starred', (eve, id) => star(eve, id)],
    ['reacted to', (eve, id) => eve.call(addReaction, { message_id: id, emoji_name: 'smile' })],
  ];

  test.each(deeds)('is announced to them once they have %s it', async (_what, deed) => {
    const { dan, eve, iris } = network;
    const id = await send(dan, 'attic', 'news');
    await deed(eve, id);
    await network.settle();
    const queue = await eve.events();
    await dan.call(editMessage, { message_id: id, content: 'Hello @**Eve Castillo**' });
    const flags = (await flagsOf(eve, id)).filter((flag) => flag !== 'read');
    await expectFlags(eve, queue, id, ['read', ...flags].sort());
    await dan.call(addReaction, { message_id: id, emoji_name: 'tada' });
    await dan.call(removeReaction, { message_id: id, emoji_name: 'tada' });
    await dan.call(editMessage, { message_id: id, topic: 'old news' });
    await moveTo('cellar', id);
    await iris.call(deleteMessage, { message_id: id });
    const types = (await eventsOf(queue)).map(({ type }) => type);
    expect(types.filter((type) => type !== 'stream' && type !== 'update_message_flags')).toEqual([
      ...['reaction', 'reaction', 'update_message', 'update_message', 'delete_message'],
    ]);
  });

  test('leaves the starred ones when it is deleted, alone or with its topic', async () => {
    const { dan, eve, iris } = network;
    const [id, other] = await given(async () => [await send(dan, 'attic', 'one'), await send(dan, 'attic', 'two')]);
    await expectReplayed(['update_message_flags/add'], () => star(eve, id as number, other as number));
    await expectReplayed(['delete_message'], () => iris.call(deleteMessage, { message_id: id as number }));
    const topic = { stream_id: channelIds['attic'] as number, topic_name: 'two' };
    await expectReplayed(['delete_message'], () => iris.call(deleteTopic, topic));
    expect(followers.every(({ state }) => (state['starred_messages'] as []).length === 0)).toBe(true);
  });
});

describe('a message of a private channel read without a subscription', () => {
  const deeds: [string, (eve: TestClient, id: number) => Promise<unknown>][] = [
    ['starred', (eve, id) => star(eve, id)],
    ['reacted to', (eve, id) => eve.call(addReaction, { message_id: id, emoji_name: 'smile' })],
  ];

  beforeAll(async () => {
    const { dan, iris } = network;
    const library = { subscriptions: [{ name: 'library' }], principals: [dan.userId, iris.userId], invite_only: true };
    await iris.call(subscribe, { ...library, history_public_to_subscribers: true });
    const { stream_id } = await iris.call(findChannel, { stream: 'library' });
    channelIds['library'] = stream_id;
  });
  afterAll(async () => {
    followers = await followEveryone(network, {}, messagesReceived);
  });

  const letIn = (...people: TestClient[]) => {
    const readers = { direct_members: people.map(({ userId }) => userId), direct_subgroups: [] };
    const stream_id = channelIds['library'] as number;
    return network.iris.call(updateChannel, { stream_id, can_subscribe_group: { new: readers } });
  };

  /** All that can happen to a message, its deletion at last; answers what somebody's queue has of it. */
  async function live(id: number, queue: EventQueue): Promise<string[]> {
    const { dan, iris } = network;
    await dan.call(editMessage, { message_id: id, content: 'Hello again' });
    await dan.call(addReaction, { message_id: id, emoji_name: 'tada' });
    await dan.call(removeReaction, { message_id: id, emoji_name: 'tada' });
    await dan.call(editMessage, { message_id: id, topic: `old ${id}` });
    await iris.call(deleteMessage, { message_id: id });
    const types = (await eventsOf(queue)).map(({ type }) => type);
    return types.filter((type) => type !== 'stream' && type !== 'update_message_flags');
  }
  const EVERYTHING = ['update_message', 'reaction', 'reaction', 'update_message', 'delete_message'];

  test.each(deeds)('is announced to them once they have %s it', async (_what, deed) => {
    const { dan, eve } = network;
    await letIn(eve);
    const id = await send(dan, 'library', 'news');
    await deed(eve, id);
    await network.settle();
    expect(await live(id, await eve.events())).toEqual(EVERYTHING);
  });

  test.each(deeds)('goes with what moves to a public channel once they have %s it', async (_what, deed) => {
    const { dan, eve } = network;
    await letIn(eve);
    const id = await send(dan, 'library', 'borrowed');
    await deed(eve, id);
    await network.settle();
    const queue = await eve.events();
    await moveTo('attic', id);
    const types = (await eventsOf(queue)).map(({ type }) => type);
    expect(types.filter((type) => type !== 'stream' && type !== 'update_message_flags')).toEqual(['update_message']);
    await network.iris.call(deleteMessage, { message_id: id });
  });

  test('is announced to them when they have received it, and left', async () => {
    const { dan, eve } = network;
    await letIn(eve);
    await join(eve, 'library');
    const id = await send(dan, 'library', 'received');
    await leave(eve, 'library');
    const later = await send(dan, 'library', 'not received');
    await network.settle();
    expect(await live(id, await eve.events())).toEqual(EVERYTHING);
    expect(await live(later, await eve.events())).toEqual([]);
  });

  test.each(deeds)(
    'is none of their business any more once they may not read it, though they have %s it',
    async (_what, deed) => {
      const { dan, eve } = network;
      await letIn(eve);
      const id = await send(dan, 'library', 'closed');
      await deed(eve, id);
      await letIn();
      await network.settle();
      expect(await live(id, await eve.events())).toEqual([]);
    },
  );
});

test('a user who leaves a private channel gets one event for their lost star, and none when the message is deleted', async () => {
  const { dan, eve, iris } = network;
  const principals = [dan.userId, eve.userId, iris.userId];
  const secret = { subscriptions: [{ name: 'secret' }], principals, invite_only: true };
  await expectReplayed(['stream/create'], () =>
    iris.call(subscribe, { ...secret, history_public_to_subscribers: true }),
  );
  const id = await given(() => send(dan, 'secret', 'plans'));
  await expectReplayed(['update_message_flags/add'], () => star(eve, id));
  const queue = await eve.events();
  await leave(eve, 'secret');
  const stars = (await eventsOf(queue)).filter(({ flag }) => flag === 'starred');
  expect(stars).toMatchObject([{ op: 'remove', messages: [id] }]);
  await iris.call(deleteMessage, { message_id: id });
  expect(await eventsOf(queue)).toEqual([]);
  expect((await eve.events()).state['starred_messages']).toEqual([]);
  followers = await followEveryone(network, {}, messagesReceived);
});

describe('the flags of an edit are those that GET /messages gives', () => {
  test('after leaving, and after coming back', async () => {
    const { dan, eve } = network;
    const id = await send(dan, 'garden', 'flowers', '@**Eve Castillo** roses');
    const queue = await eve.events();
    const edit = (content: string) =>
      dan.call(editMessage, { message_id: id, content: `@**Eve Castillo** ${content}` });
    await edit('tulips');
    await expectFlags(eve, queue, id, ['mentioned']);
    await leave(eve, 'garden');
    await network.settle();
    await edit('lilies');
    await expectFlags(eve, queue, id, ['mentioned', 'read']);
    await join(eve, 'garden');
    await network.settle();
    await edit('daisies');
    await expectFlags(eve, queue, id, ['mentioned', 'read']);
    await eve.call(updateFlags, { messages: [id], op: 'remove', flag: 'read' });
    await edit('orchids');
    await expectFlags(eve, queue, id, ['mentioned']);
  });

  test('where one came later, and has marked it as unread', async () => {
    const { dan, eve } = network;
    await leave(eve, 'garden');
    const id = await send(dan, 'garden', 'later', '@**Eve Castillo** rain');
    await join(eve, 'garden');
    await eve.call(updateFlags, { messages: [id], op: 'remove', flag: 'read' });
    await network.settle();
    const queue = await eve.events();
    await dan.call(editMessage, { message_id: id, content: '@**Eve Castillo** sun' });
    await expectFlags(eve, queue, id, []);
  });

  test('moved to where one is not, and back', async () => {
    const { dan, eve } = network;
    const id = await send(dan, 'garden', 'wanders', '@**Eve Castillo** look');
    await network.settle();
    const queue = await eve.events();
    await moveTo('attic', id);
    await expectFlags(eve, queue, id, ['read']);
    await dan.call(editMessage, { message_id: id, content: '@**Eve Castillo** here' });
    await expectFlags(eve, queue, id, ['read']);
    await moveTo('garden', id);
    await expectFlags(eve, queue, id, ['mentioned']);
  });
});

describe('changes of the read state are announced', () => {
  test('to a user who leaves a channel, including messages moved there and from there', async () => {
    const { dan, eve } = network;
    await expectReplayed(['subscription/add'], () => join(eve, 'attic'));
    const [there, away] = await given(async () => [
      await send(dan, 'garden', 'goes up'),
      await send(dan, 'attic', 'goes down'),
    ]);
    await expectReplayed(['update_message'], () => moveTo('attic', there as number));
    await expectReplayed(['update_message'], () => moveTo('garden', away as number));
    await expectReplayed(['update_message_flags/add'], () => leave(eve, 'attic'));
  });

  test('when it moves to where one is not', async () => {
    const id = await given(() => send(network.dan, 'garden', 'roams'));
    await expectReplayed(['update_message', 'update_message_flags/add'], () => moveTo('cellar', id));
  });

  test('when one moves it to a private channel where one is not', async () => {
    const { iris, dan } = network;
    const rights = { can_subscribe_group: { direct_members: [iris.userId], direct_subgroups: [] } };
    const vault = { name: 'vault', invite_only: true, history_public_to_subscribers: true, ...rights };
    const id = await given(async () => {
      const subscribers = [iris.userId, dan.userId];
      channelIds['vault'] = (await iris.call(createChannel, { ...vault, subscribers })).id;
      await send(iris, 'vault', 'first');
      await leave(iris, 'vault');
      return send(dan, 'garden', 'hides');
    });
    expect(await flagsOf(iris, id)).toEqual([]);
    await expectReplayed(['update_message', 'update_message_flags/add'], () => moveTo('vault', id));
    expect(await flagsOf(iris, id)).toEqual(['read']);
  });

  test('when it comes back to where one is', async () => {
    const { dan, eve } = network;
    const id = await given(() => send(dan, 'garden', 'returns', '@**Eve Castillo** soon'));
    await expectReplayed(['update_message'], () => moveTo('cellar', id));
    expect(await flagsOf(eve, id)).toEqual(['read']);
    await expectReplayed(['update_message', 'update_message_flags/remove'], () => moveTo('garden', id));
    expect(await flagsOf(eve, id)).toEqual(['mentioned']);
  });

  test('when its channel is archived; it stays read when that is in use again', async () => {
    const { dan, eve, iris } = network;
    const stream_id = channelIds['garden'] as number;
    const id = await given(() => send(dan, 'garden', 'autumn', '@**Eve Castillo** leaves'));
    const policy = { stream_id, topic: 'autumn', visibility_policy: 2 };
    await expectReplayed(['user_topic'], () => eve.call(updateUserTopic, policy));
    const archive = () => iris.call(archiveChannel, { stream_id });
    const changes = await expectReplayed(['update_message_flags/add'], archive);
    const read = changes.filter(({ op, flag }) => op === 'add' && flag === 'read').flatMap(({ messages }) => messages);
    expect(read).toContain(id);
    const unreadThere = async () => {
      const { streams } = (await eve.events()).state['unread_msgs'] as {
        streams: { stream_id: number; topic: string }[];
      };
      return streams.filter((place) => place.stream_id === stream_id).map(({ topic }) => topic);
    };
    expect(await unreadThere()).toEqual([]);
    await expectReplayed(['stream/update:is_archived', 'stream/create'], () =>
      iris.call(updateChannel, { stream_id, is_archived: false }),
    );
    expect(await unreadThere()).not.toContain('autumn');
    expect((await eve.events()).state['user_topics']).toContainEqual(
      expect.objectContaining({ stream_id, topic_name: 'autumn', visibility_policy: 2 }),
    );
    expect(await flagsOf(eve, id)).toEqual(['mentioned', 'read']);
  });
});

test('a bot mentioned in a channel without a subscription has the message, with the flag of a mention', async () => {
  const { dan, robo } = network;
  const queue = await robo.events();
  const id = await send(dan, 'attic', 'calls', '@**Robo** come');
  expect((await eventsOf(queue)).map(({ type, flags }) => [type, flags])).toEqual([['message', ['read', 'mentioned']]]);
  expect(await flagsOf(robo, id)).toEqual(['mentioned', 'read']);
  const found = async (narrow: { operator: string; operand: string }[]) => {
    const { messages } = await robo.call(getMessages, { anchor: 'newest', num_before: 5, num_after: 0, narrow });
    return messages.map((message) => message.id);
  };
  expect(await found([])).toContain(id);
  expect(await found([{ operator: 'is', operand: 'mentioned' }])).toEqual([id]);
  await dan.call(editMessage, { message_id: id, content: '@**Robo** stay' });
  await expectFlags(robo, queue, id, ['mentioned', 'read']);
});

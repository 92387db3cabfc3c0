import type { Message, User } from '@parley/shared/proto';
import { createEditWorld, type EditWorld } from '../../test/edit-world';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, getRequest } from '../../test/start-messages';

let world: EditWorld;
let topicNumber = 0;
const newTopic = () => `topic ${++topicNumber}`;

beforeAll(async () => {
  world = await createEditWorld();
});
beforeEach(() => {
  world.network.realm.realm.settings = '{}';
});
afterAll(() => world.network.stop());

async function sendThree(who: User, channel: PeerChannel, topic: string): Promise<[number, number, number]> {
  return [
    await world.send(who, channel, topic),
    await world.send(who, channel, topic),
    await world.send(who, channel, topic),
  ];
}

const ids = (messages: Message[]) => messages.map(({ id }) => id);
const contents = (messages: Message[]) => messages.map(({ content }) => content);
const query = <Row>(sql: string, values: unknown[]) => world.network.service.db.query<Row>(sql, values);

async function versionsOfRows(messageIds: number[]): Promise<string[]> {
  const rows = await query<{ xmin: string }>('select xmin::text from message where id = any($1) order by id', [
    messageIds,
  ]);
  return rows.map(({ xmin }) => xmin);
}

describe('a whole topic gets another name', () => {
  test('without rewriting its messages, though each shows the move', async () => {
    const { ann, bob, lobby } = world;
    const [from, to] = [newTopic(), newTopic()];
    const sent = await sendThree(ann, lobby, from);
    const before = await versionsOfRows(sent);
    await world.events();
    await world.edit(bob, sent[1], { topic: to, propagateMode: 'change_all' });
    expect(await versionsOfRows(sent)).toEqual(before);
    expect(ids(await world.inTopic(bob, lobby, to))).toEqual(sent);
    expect(await world.inTopic(bob, lobby, from)).toEqual([]);
    for (const message of await world.inTopic(bob, lobby, to)) {
      expect(message.edits).toMatchObject({
        lastMovedAtMs: world.clock.now(),
        history: [{ userId: bob.id, prevTopic: from, topic: to }],
      });
      expect(message.edits).not.toHaveProperty('lastEditedAtMs');
    }
    const [event, ...more] = await world.events();
    expect(more.map(({ kind }) => kind)).toEqual(['topic-policy.changed', 'topic-policy.changed']);
    expect(event?.payload).toMatchObject({
      messageId: sent[1],
      messageIds: sent,
      move: { propagateMode: 'change_all', prevTopic: from, topic: to },
    });
    expect(event?.payload).not.toHaveProperty('content');
  });

  test('which later messages know nothing of, and which goes along when one moves on', async () => {
    const { ann, lobby } = world;
    const [first, second, third] = [newTopic(), newTopic(), newTopic()];
    const id = await world.send(ann, lobby, first);
    await world.edit(ann, id, { topic: second, propagateMode: 'change_all' });
    const later = await world.send(ann, lobby, second);
    await world.edit(ann, id, { topic: third });
    await world.edit(ann, later, { topic: newTopic() });
    const namesOf = async (messageId: number) =>
      (await world.read(ann, messageId)).edits?.history.map(({ prevTopic, topic }) => [prevTopic, topic]);
    expect(await namesOf(id)).toEqual([
      [second, third],
      [first, second],
    ]);
    expect(await namesOf(later)).toHaveLength(1);
  });

  test('and with it the casing that some messages had of their own', async () => {
    const { ann, lobby } = world;
    const topic = newTopic();
    const id = await world.send(ann, lobby, topic);
    const other = await world.send(ann, lobby, topic.toUpperCase());
    await world.edit(ann, id, { topic: `✔ ${topic}`, propagateMode: 'change_all' });
    expect((await world.read(ann, other)).topic).toBe(`✔ ${topic}`);
    await world.edit(ann, id, { topic: `✔ ${topic.toUpperCase()}`, propagateMode: 'change_all' });
    expect((await world.read(ann, other)).topic).toBe(`✔ ${topic.toUpperCase()}`);
  });

  test('and the links that belong to the name', async () => {
    const { ann, lobby } = world;
    const id = await world.send(ann, lobby, `${newTopic()} #17`);
    await world.edit(ann, id, { topic: `${newTopic()} #18`, propagateMode: 'change_all' });
    expect((await world.read(ann, id)).topicLinks).toEqual([{ text: '#18', url: 'https://tickets.example/18' }]);
    await world.edit(ann, id, { topic: newTopic(), propagateMode: 'change_all' });
    expect((await world.read(ann, id)).topicLinks).toEqual([]);
  });
});

describe('a part of a topic', () => {
  test('is the message only, or it and all later ones', async () => {
    const { ann, lobby } = world;
    const [from, one, later] = [newTopic(), newTopic(), newTopic()];
    const [first, second, third] = await sendThree(ann, lobby, from);
    await world.edit(ann, second, { topic: one });
    expect(ids(await world.inTopic(ann, lobby, from))).toEqual([first, third]);
    const fourth = await world.send(ann, lobby, from);
    await world.edit(ann, third, { topic: later, propagateMode: 'change_later' });
    expect(ids(await world.inTopic(ann, lobby, from))).toEqual([first]);
    expect(ids(await world.inTopic(ann, lobby, later))).toEqual([third, fourth]);
  });

  test('joins a topic that is there; a topic ends with its last message', async () => {
    const { ann, lobby } = world;
    const [from, to] = [newTopic(), newTopic()];
    const sent = await sendThree(ann, lobby, from);
    const there = await world.send(ann, lobby, to);
    await world.edit(ann, sent[0], { topic: to.toUpperCase(), propagateMode: 'change_all' });
    expect(ids(await world.inTopic(ann, lobby, to))).toEqual([...sent, there]);
    expect((await world.read(ann, sent[0])).topic).toBe(to.toUpperCase());
    const rows = await query<{ max: number }>('select max_message_id as max from topic where name_key = any($1)', [
      [from, to],
    ]);
    expect(rows).toEqual([{ max: there }]);
  });

  test('to a topic that the mover may not create is refused', async () => {
    const { bob, ann, other } = world;
    const [from, there] = [newTopic(), newTopic()];
    const id = await world.send(bob, other, from);
    await world.send(bob, other, there);
    other.topicCreatorIds = [ann.id];
    await expect(world.edit(bob, id, { topic: newTopic() })).rejects.toThrow('permission to create new topics');
    await world.edit(bob, id, { topic: `✔ ${from}` });
    await world.edit(bob, id, { topic: there });
    delete other.topicCreatorIds;
  });
});

describe('to another channel', () => {
  test('with the casing and the links that each of them has', async () => {
    const { ann, bob, lobby, other } = world;
    const topic = `${newTopic()} #17`;
    const names = [topic, topic.toUpperCase(), topic];
    const kept = await world.send(ann, other, topic.toUpperCase());
    const sent: number[] = [];
    for (const name of names) sent.push(await world.send(ann, lobby, name));
    const topicsOf = async () => (await Promise.all(sent.map((id) => world.read(ann, id)))).map((each) => each.topic);
    await world.edit(bob, sent[1] as number, { channelId: other.id, propagateMode: 'change_all' });
    expect(await topicsOf()).toEqual(names);
    expect((await world.read(ann, sent[0] as number)).topicLinks).toHaveLength(1);
    expect(ids(await world.inTopic(ann, other, topic))).toEqual([kept, ...sent]);
    const renamed = newTopic();
    await world.edit(bob, sent[0] as number, { channelId: lobby.id, topic: renamed, propagateMode: 'change_later' });
    expect(await topicsOf()).toEqual([renamed, renamed, renamed]);
  });

  test('that is public: guests outside lose the messages, all others keep them', async () => {
    const { ann, bob, gus, lobby, other } = world;
    const topic = newTopic();
    const sent = await sendThree(ann, lobby, topic);
    await world.events();
    await world.edit(bob, sent[0], { channelId: other.id, propagateMode: 'change_all' });
    const [edited, deleted, ...single] = await world.events();
    expect(edited?.payload).toMatchObject({
      messageIds: sent,
      move: { prevTopic: topic, channelId: other.id },
      audience: { channelId: lobby.id, isPublic: true, exceptIds: [gus.id] },
    });
    expect(edited?.payload.move).not.toHaveProperty('topic');
    expect(deleted).toMatchObject({
      kind: 'messages.deleted',
      payload: { messageIds: sent, channel: { id: lobby.id, topic }, audience: { to: 'users', userIds: [gus.id] } },
    });
    expect(single.map(({ payload }) => payload.messageId)).toEqual(sent);
    await expect(world.read(gus, sent[0])).rejects.toThrow('Invalid message(s)');
    expect((await world.read(ann, sent[0])).edits?.history[0]).toMatchObject({
      prevChannelId: lobby.id,
      channelId: other.id,
    });
  });

  test('that is private: only its subscribers keep the messages, and those of now gain them', async () => {
    const { ann, bob, mod, lobby, secret, network } = world;
    const id = await world.send(bob, lobby, newTopic());
    await world.events();
    await world.edit(ann, id, { channelId: secret.id });
    const { subscriptionVersion: version } = secret;
    const inSecret = (wereSubscribed: boolean) => [{ channelId: secret.id, versions: [version], wereSubscribed }];
    const [edited, deleted] = await world.events();
    expect(edited?.payload.audience).toMatchObject({
      channelId: lobby.id,
      isPublic: false,
      conditions: inSecret(true),
    });
    expect(deleted?.payload.audience).toMatchObject({ channelId: lobby.id, conditions: inSecret(false) });
    await expect(world.read(bob, id)).rejects.toThrow('Invalid message(s)');
    expect((await world.read(mod, id)).topic).toBeDefined();
    const late = network.realm.addUser('Late');
    network.realm.subscribe(secret, late);
    await expect(world.read(late, id)).rejects.toThrow('Invalid message(s)');
    const feed = await network.client.getMessages(callerOf(bob), {
      anchorKind: 'newest',
      numBefore: 5,
      numAfter: 0,
      includeAnchor: true,
      narrow: [],
      messageIds: [],
    });
    expect(ids(feed.messages)).not.toContain(id);
  });

  test('with protected history: joining later does not return lost messages', async () => {
    const { ann, lobby, secret, network } = world;
    const carl = network.realm.addUser('Carl');
    network.realm.subscribe(lobby, carl);
    const id = await world.send(ann, lobby, newTopic());
    await world.edit(ann, id, { channelId: secret.id });
    network.realm.subscribe(secret, carl);
    await expect(world.read(carl, id)).rejects.toThrow('Invalid message(s)');
    const { messages } = await network.client.getMessages(callerOf(carl), getRequest({ narrow: [] }));
    expect(ids(messages)).not.toContain(id);
  });

  test('removes the stars only of users who lose the messages', async () => {
    const { ann, bob, mod, lobby, secret, network } = world;
    const id = await world.send(ann, lobby, newTopic());
    const starred = async (user: User) => {
      const asked = { includesUnread: false, includesStarred: true, includesRecentDirects: false };
      return (await network.client.getMessageState(callerOf(user), asked)).starredIds.includes(id);
    };
    for (const user of [bob, mod]) {
      await network.client.updateFlags(callerOf(user), { messageIds: [id], op: 'add', flag: 'starred' });
    }
    await world.edit(ann, id, { channelId: secret.id });
    expect([await starred(bob), await starred(mod)]).toEqual([false, true]);
  });

  test('moves only messages that the mover can see', async () => {
    const { ann, mod, secret, lobby, network } = world;
    const topic = newTopic();
    const unseen = await world.send(ann, secret, topic);
    const late = network.realm.addUser('Latest');
    network.realm.subscribe(secret, late);
    network.realm.subscribe(lobby, late);
    const seen = await world.send(ann, secret, topic);
    await world.edit(late, seen, { channelId: lobby.id, propagateMode: 'change_all' });
    expect((await world.read(mod, unseen)).channelId).toBe(secret.id);
    expect((await world.read(mod, seen)).channelId).toBe(lobby.id);
  });

  test('needs the right to post there', async () => {
    const { bob, ann, lobby, other } = world;
    const id = await world.send(bob, lobby, newTopic());
    other.senderIds = [ann.id];
    await expect(world.edit(bob, id, { channelId: other.id })).rejects.toThrow(
      'You do not have permission to post in this channel.',
    );
    delete other.senderIds;
  });
});

describe('notices', () => {
  test('tell where a topic went to, and where it came from', async () => {
    const { ann, lobby, other } = world;
    const [from, to] = [newTopic(), newTopic()];
    const [first] = await sendThree(ann, lobby, from);
    const tell = { tellsOldTopic: true, tellsNewTopic: true };
    await world.edit(ann, first, { topic: to, propagateMode: 'change_all', ...tell });
    expect(contents(await world.inTopic(ann, lobby, from))).toEqual([
      `This topic was moved to #**Lobby>${to}** by @_**Ann|${ann.id}**.`,
    ]);
    const moved = await world.inTopic(ann, lobby, to);
    expect(moved.at(-1)?.content).toBe(`This topic was moved here from #**Lobby>${from}** by @_**Ann|${ann.id}**.`);
    expect(moved.at(-1)?.flags).toContain('read');
    await world.send(ann, other, from);
    await world.edit(ann, first, { topic: from, channelId: other.id, ...tell });
    expect(contents(await world.inTopic(ann, other, from)).at(-1)).toMatch(
      /^\[A message\]\(.+\/near\/\d+\) was moved here from #\*\*Lobby>topic \d+\*\* by @_\*\*Ann\|\d+\*\*\.$/,
    );
    expect(contents(await world.inTopic(ann, lobby, to)).at(-1)).toMatch(/^A message was moved from this topic to /);
  });

  test('mention no users, regardless of the topic names', async () => {
    const { ann, lobby } = world;
    const topic = `${newTopic()}** @**all`;
    const id = await world.send(ann, lobby, newTopic());
    await world.events();
    await world.edit(ann, id, { topic, tellsOldTopic: true });
    await world.edit(ann, id, { topic: newTopic(), tellsNewTopic: true });
    const sent = (await world.events()).filter(({ kind }) => kind === 'message.sent');
    expect(sent.map(({ payload }) => payload.mentionsChannel)).toEqual([false, false]);
    expect(sent[0]?.payload.message).toMatchObject({
      renderedContent: expect.stringMatching(
        /<a href="\/#narrow[^"]+">#Lobby &gt; topic \d+&#42;&#42; &#64;&#42;&#42;all<\/a>/,
      ),
    });
  });

  test('name the user who resolved a topic, and are deleted if that is undone at once', async () => {
    const { ann, bob, lobby } = world;
    const topic = newTopic();
    const id = await world.send(ann, lobby, topic);
    const toggle = (name: string) =>
      world.edit(bob, id, { topic: name, propagateMode: 'change_all', tellsNewTopic: true });
    await toggle(`✔ ${topic}`);
    const resolved = await world.inTopic(ann, lobby, `✔ ${topic}`);
    expect(contents(resolved)).toEqual(['hi', `@_**Bob|${bob.id}** has marked this topic as resolved.`]);
    expect((await world.read(ann, id)).edits).not.toHaveProperty('lastMovedAtMs');
    world.clock.advance(60_000);
    await toggle(topic);
    expect(contents(await world.inTopic(ann, lobby, topic))).toEqual(['hi']);
    await toggle(`✔ ${topic}`);
    world.clock.advance(60_001);
    await toggle(topic);
    expect(contents(await world.inTopic(ann, lobby, topic))).toEqual([
      'hi',
      `@_**Bob|${bob.id}** has marked this topic as resolved.`,
      `@_**Bob|${bob.id}** has marked this topic as unresolved.`,
    ]);
  });
});

test('say nothing of a topic that is resolved along with an edit of a message', async () => {
  const { ann, lobby } = world;
  const topic = newTopic();
  const id = await world.send(ann, lobby, topic);
  await world.edit(ann, id, { topic: `✔ ${topic}`, content: 'solved', tellsNewTopic: true });
  expect(contents(await world.inTopic(ann, lobby, `✔ ${topic}`))).toEqual(['solved']);
});

test('messages keep their read state wherever they move', async () => {
  const { ann, bob, lobby, other, network } = world;
  const [from, to] = [newTopic(), newTopic()];
  const [first, second, third] = await sendThree(ann, lobby, from);
  await network.client.updateFlags(callerOf(bob), { messageIds: [second], op: 'add', flag: 'read' });
  await world.send(ann, other, to);
  await world.edit(ann, first, { topic: to, channelId: other.id, propagateMode: 'change_all' });
  const isRead = async (id: number) => (await world.read(bob, id)).flags.includes('read');
  expect([await isRead(first), await isRead(second), await isRead(third)]).toEqual([false, true, false]);
});

describe('policies for a topic', () => {
  const policyOf = async ({ id }: User, topic: string) => {
    const sql = 'select policy from topic_policy where user_id = $1 and name_key = $2';
    return (await query<{ policy: number }>(sql, [id, topic]))[0]?.policy ?? 0;
  };
  const decide = ({ id }: User, channel: PeerChannel, topic: string, policy: number) =>
    query(
      `insert into topic_policy (realm_id, user_id, channel_id, name_key, name, policy, updated_at) values (1, $1, $2, $3, $3, $4, now())`,
      [id, channel.id, topic, policy],
    );

  test('move with the whole topic, and are announced', async () => {
    const { ann, bob, lobby } = world;
    const [from, to] = [newTopic(), newTopic()];
    const id = await world.send(ann, lobby, from);
    await decide(bob, lobby, from, 1);
    await world.events();
    await world.edit(ann, id, { topic: to, propagateMode: 'change_all' });
    expect([await policyOf(bob, from), await policyOf(bob, to)]).toEqual([0, 1]);
    const announced = (await world.events()).filter(({ payload }) => payload.userId === bob.id);
    expect(announced.map(({ payload }) => payload.topicPolicy)).toEqual([
      { channelId: lobby.id, topic: from, policy: 0, updatedAtMs: world.clock.now() },
      { channelId: lobby.id, topic: to, policy: 1, updatedAtMs: world.clock.now() },
    ]);
  });

  test.each([
    [1, 1, 1],
    [1, 2, 2],
    [2, 0, 2],
    [1, 0, 0],
    [3, 1, 0],
    [0, 1, 0],
    [0, 2, 2],
  ])('%i and %i make %i where two topics become one', async (ofSource, ofTarget, result) => {
    const { ann, bob, lobby } = world;
    const [from, to] = [newTopic(), newTopic()];
    const id = await world.send(ann, lobby, from);
    await world.send(ann, lobby, to);
    if (ofSource) await decide(bob, lobby, from, ofSource);
    if (ofTarget) await decide(bob, lobby, to, ofTarget);
    await world.edit(ann, id, { topic: to, propagateMode: 'change_all' });
    expect(await policyOf(bob, to)).toBe(result);
  });

  test('does not follow to where guests may not look', async () => {
    const { ann, bob, gus, lobby, other } = world;
    const [from, to] = [newTopic(), newTopic()];
    const id = await world.send(ann, lobby, from);
    for (const user of [bob, gus]) await decide(user, lobby, from, 3);
    await world.edit(ann, id, { topic: to, channelId: other.id, propagateMode: 'change_all' });
    expect([await policyOf(gus, from), await policyOf(gus, to), await policyOf(bob, to)]).toEqual([0, 0, 3]);
  });

  test('do not move to a private channel for users outside it', async () => {
    const { ann, bob, lobby, secret } = world;
    const [from, to] = [newTopic(), newTopic()];
    const id = await world.send(ann, lobby, from);
    await decide(bob, lobby, from, 3);
    await decide(world.mod, lobby, from, 3);
    await world.edit(ann, id, { topic: to, channelId: secret.id, propagateMode: 'change_all' });
    expect([await policyOf(bob, from), await policyOf(bob, to), await policyOf(world.mod, to)]).toEqual([0, 0, 3]);
  });

  test.each(['within it', 'to another channel'])(
    'ends unsaid for former members of a private channel, of whom it is hidden, where the topic moves %s',
    async (where) => {
      const { bob, mod, secret, other } = world;
      const [from, to] = [newTopic(), newTopic()];
      const id = await world.send(mod, secret, from);
      await decide(bob, secret, from, 3);
      await query('update topic_policy set is_shown = false where user_id = $1 and name_key = $2', [bob.id, from]);
      await world.events();
      const channel = where === 'within it' ? {} : { channelId: other.id };
      await world.edit(mod, id, { topic: to, ...channel, propagateMode: 'change_all' });
      expect(await policyOf(bob, from)).toBe(0);
      const announced = (await world.events()).filter(({ payload }) => payload.userId === bob.id);
      const topicOf = ({ payload }: (typeof announced)[number]) => (payload.topicPolicy as { topic: string }).topic;
      expect(announced.map(topicOf)).not.toContain(from);
      if (where === 'within it')
        expect([announced, await policyOf(bob, to), await policyOf(mod, to)]).toEqual([[], 0, 3]);
    },
  );
});

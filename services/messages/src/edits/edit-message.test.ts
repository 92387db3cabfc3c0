import { createHash } from 'node:crypto';
import { createEditWorld, type EditWorld } from '../../test/edit-world';
import { callerOf, toUsers } from '../../test/start-messages';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let world: EditWorld;
let topicNumber = 0;
const newTopic = () => `topic ${++topicNumber}`;

beforeAll(async () => {
  world = await createEditWorld();
});
beforeEach(() => {
  world.network.realm.realm.settings = '{}';
  for (const rights of [world.network.realm.rights.denied, world.network.realm.rights.grantedInChannels])
    rights.clear();
});
afterAll(() => world.network.stop());

function configure(settings: Record<string, unknown>): void {
  world.network.realm.realm.settings = JSON.stringify(settings);
}

describe('an edit of the content', () => {
  test('changes text, mentions and history, and is announced to its holders', async () => {
    const { ann, bob, lobby } = world;
    const id = await world.send(ann, lobby, newTopic(), 'Hello @**Bob**');
    await world.events();
    world.clock.advance(5_000);
    await world.edit(ann, id, { content: 'Hello @**Ada**  ' });
    const message = await world.read(bob, id);
    expect(message.content).toBe('Hello @**Ada**');
    expect(message.flags).not.toContain('mentioned');
    expect((await world.read(world.ada, id)).flags).toContain('mentioned');
    expect(message.edits).toMatchObject({
      isHistoryShown: true,
      lastEditedAtMs: world.clock.now(),
      history: [{ userId: ann.id, prevContent: 'Hello @**Bob**', prevRenderedContent: expect.any(String) }],
    });
    const [event, ...more] = await world.events();
    expect(more).toMatchObject([
      { kind: 'mentions.changed', payload: { message: { id }, addedIds: [world.ada.id], addsWildcard: false } },
    ]);
    expect(event).toMatchObject({
      kind: 'message.edited',
      payload: {
        editorId: ann.id,
        messageId: id,
        messageIds: [id],
        channel: { id: lobby.id, name: 'Lobby' },
        content: { prevContent: 'Hello @**Bob**', content: 'Hello @**Ada**' },
        audience: { to: 'subscribers', channelId: lobby.id, version: lobby.subscriptionVersion, isPublic: true },
        mentionedIds: [world.ada.id],
      },
    });
  });

  test('that keeps its mentions announces the edit alone; one that adds or removes a wildcard says so', async () => {
    const { ann, lobby } = world;
    const id = await world.send(ann, lobby, newTopic(), 'Hello @**Bob**');
    await world.events();
    const changesOf = async (content: string) => {
      await world.edit(ann, id, { content });
      const [, ...changes] = await world.events();
      return changes.map(({ payload }) => payload);
    };
    expect(await changesOf('Hi @**Bob**')).toEqual([]);
    expect(await changesOf('Hi @**Bob** and @**topic**')).toMatchObject([{ addedIds: [], addsWildcard: true }]);
    expect(await changesOf('Hi @**Bob** and @**all**')).toMatchObject([{ addedIds: [], addsWildcard: true }]);
    expect(await changesOf('Hi @**Bob**')).toMatchObject([{ addedIds: [], addsWildcard: false }]);
  });

  test('that newly mentions the topic means its current participants', async () => {
    const { ann, bob, mod, lobby } = world;
    const topic = newTopic();
    const id = await world.send(ann, lobby, topic);
    await world.send(bob, lobby, topic);
    await world.events();
    await world.edit(ann, id, { content: 'Look, @**topic**' });
    const [event] = await world.events();
    const participantIds = event?.payload.topicParticipantIds as number[];
    expect(event?.payload.mentionsTopic).toBe(true);
    expect(new Set(participantIds)).toEqual(new Set([ann.id, bob.id]));
    expect((await world.read(bob, id)).flags).toContain('topic_wildcard_mentioned');
    expect((await world.read(mod, id)).flags).not.toContain('topic_wildcard_mentioned');
    await world.edit(ann, id, { content: 'Never mind' });
    expect((await world.read(bob, id)).flags).not.toContain('topic_wildcard_mentioned');
  });

  test('to the same content changes and announces nothing', async () => {
    const id = await world.send(world.ann, world.lobby, newTopic(), 'same');
    await world.events();
    await world.edit(world.ann, id, { content: 'same ' });
    expect(await world.events()).toEqual([]);
    expect((await world.read(world.ann, id)).edits).toBeUndefined();
  });

  test('to nothing leaves a word', async () => {
    const id = await world.send(world.ann, world.lobby, newTopic());
    await world.edit(world.ann, id, { content: ' ' });
    expect((await world.read(world.ann, id)).content).toBe('(deleted)');
  });

  test('of a direct message is announced to its participants', async () => {
    const { ann, bob, network } = world;
    const { messageId } = await network.client.sendMessage(callerOf(ann), toUsers([bob], 'psst'));
    await world.events();
    await world.edit(ann, messageId, { content: 'psst!' });
    const [event] = await world.events();
    expect(event?.payload.audience).toEqual({ to: 'users', userIds: [ann.id, bob.id] });
  });

  test('takes twenty seconds more than the limit', async () => {
    const id = await world.send(world.ann, world.lobby, newTopic());
    world.clock.advance(10 * MINUTE_MS + 20_000);
    await world.edit(world.ann, id, { content: 'in time' });
    world.clock.advance(1);
    await expect(world.edit(world.ann, id, { content: 'late' })).rejects.toThrow(
      'The time limit for editing this message has passed',
    );
  });

  test('is refused when the stored content is another than the client thinks', async () => {
    const id = await world.send(world.ann, world.lobby, newTopic(), 'now');
    const prevContentSha256 = createHash('sha256').update('before').digest('hex');
    await expect(world.edit(world.ann, id, { content: 'x', prevContentSha256 })).rejects.toMatchObject({
      code: 'EXPECTATION_MISMATCH',
      message: "'prev_content_sha256' value does not match the expected value.",
    });
    await world.edit(world.ann, id, {
      content: 'x',
      prevContentSha256: createHash('sha256').update('now').digest('hex'),
    });
  });
});

describe('refused is', () => {
  test.each<[string, object, string]>([
    ['nothing to change', {}, 'Nothing to change'],
    ['the same topic', { topic: ' here ' }, 'Nothing to change'],
    [
      'a mode without a move',
      { content: 'x', propagateMode: 'change_all' },
      'Invalid propagate_mode without topic edit',
    ],
    ['resolving the empty topic', { topic: '✔' }, 'General chat cannot be marked as resolved'],
    ['resolving it by its name', { topic: '✔ general chat' }, 'General chat cannot be marked as resolved'],
    ['a control character', { topic: 'a\nb' }, 'Invalid character in topic, at position 2!'],
    ['an unknown channel', { channelId: 99 }, 'Invalid channel ID'],
    ['a private channel of others', { channelId: 3 }, 'Invalid channel ID'],
    ['content with a channel', { content: 'x', channelId: 2 }, 'Cannot change message content while changing channel'],
  ])('%s', async (_title, change, message) => {
    const id = await world.send(world.bob, world.lobby, 'here');
    await expect(world.edit(world.bob, id, change)).rejects.toThrow(message);
  });

  test('another user’s content, in any role', async () => {
    const id = await world.send(world.bob, world.lobby, newTopic());
    const edit = world.edit(world.ada, id, { content: 'x' });
    await expect(edit).rejects.toThrow("You don't have permission to edit this message");
  });

  test('any content where editing is off', async () => {
    configure({ allow_message_editing: false });
    const id = await world.send(world.bob, world.lobby, newTopic());
    const edit = world.edit(world.bob, id, { content: 'x' });
    await expect(edit).rejects.toThrow('Your organization has turned off message editing');
  });

  test('the content of a widget', async () => {
    const id = await world.send(world.bob, world.lobby, newTopic(), '/poll Where?');
    await expect(world.edit(world.bob, id, { content: 'x' })).rejects.toThrow('Widgets cannot be edited.');
    await world.edit(world.bob, id, { topic: newTopic() });
  });

  test("a topic that the channel's policy does not allow, also for contents in other topics", async () => {
    const { bob, network } = world;
    const channel = network.realm.addChannel('Policies');
    network.realm.subscribe(channel, bob);
    const id = await world.send(bob, channel, newTopic());
    channel.topicsPolicy = 'disable_empty_topic';
    await expect(world.edit(bob, id, { topic: 'general chat' })).rejects.toThrow('is not allowed in this channel.');
    channel.topicsPolicy = 'empty_topic_only';
    await expect(world.edit(bob, id, { content: 'x' })).rejects.toThrow('Only the general chat topic is allowed');
    await world.edit(bob, id, { topic: '' });
    await world.edit(bob, id, { content: 'x' });
  });

  test('a topic or a channel for a direct message', async () => {
    const { ann, bob, network } = world;
    const { messageId } = await network.client.sendMessage(callerOf(ann), toUsers([bob], 'psst'));
    await expect(world.edit(ann, messageId, { topic: 'x' })).rejects.toThrow('Direct messages cannot have topics.');
    const move = world.edit(ann, messageId, { channelId: world.lobby.id });
    await expect(move).rejects.toThrow('Direct messages cannot be moved to channels.');
  });

  test('unreadable and absent messages alike, and all of an archived channel', async () => {
    const id = await world.send(world.ann, world.secret, newTopic());
    await expect(world.edit(world.bob, id, { topic: 'x' })).rejects.toThrow('Invalid message(s)');
    await expect(world.edit(world.bob, 999_999, { topic: 'x' })).rejects.toThrow('Invalid message(s)');
    const archived = world.network.realm.addChannel('Old');
    world.network.realm.subscribe(archived, world.ann);
    const old = await world.send(world.ann, archived, newTopic());
    archived.isArchived = true;
    await expect(world.edit(world.ann, old, { topic: 'x' })).rejects.toThrow('Invalid message(s)');
  });

  test('a move without the right, unless the channel gives it', async () => {
    const { bob, lobby, other, network } = world;
    const id = await world.send(bob, lobby, newTopic());
    const settings = ['can_move_messages_between_topics_group', 'can_move_messages_between_channels_group'];
    network.realm.rights.denied.set(bob.id, [...settings, 'can_resolve_topics_group']);
    const { topic } = await world.read(bob, id);
    await expect(world.edit(bob, id, { topic: newTopic() })).rejects.toThrow(
      "You don't have permission to edit this message",
    );
    await expect(world.edit(bob, id, { topic: `✔ ${topic}` })).rejects.toThrow(
      "You don't have permission to resolve topics in this channel.",
    );
    await expect(world.edit(bob, id, { channelId: other.id })).rejects.toThrow(
      "You don't have permission to move this message",
    );
    network.realm.rights.grantedInChannels.set(bob.id, [
      'can_move_messages_within_channel_group',
      'can_move_messages_out_of_channel_group',
    ]);
    await world.edit(bob, id, { topic: newTopic(), channelId: other.id });
  });

  test('an old message for members, not for moderators', async () => {
    const { bob, mod, lobby, other } = world;
    const id = await world.send(bob, lobby, newTopic());
    world.clock.advance(7 * DAY_MS + 20_001);
    const tooLate = {
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      fields: {
        first_message_id_allowed_to_move: null,
        total_messages_allowed_to_move: 0,
        total_messages_in_topic: 1,
      },
    };
    for (const propagateMode of ['change_one', 'change_later', 'change_all']) {
      await expect(world.edit(bob, id, { topic: newTopic(), propagateMode })).rejects.toMatchObject(tooLate);
      await expect(world.edit(bob, id, { channelId: other.id, propagateMode })).rejects.toMatchObject(tooLate);
    }
    await world.edit(mod, id, { topic: newTopic() });
  });

  test('a whole topic of which a part is too old, naming the part that may still be moved', async () => {
    const { ann, bob, lobby } = world;
    const topic = newTopic();
    await world.send(ann, lobby, topic);
    world.clock.advance(8 * DAY_MS);
    const [second, third] = [await world.send(bob, lobby, topic), await world.send(bob, lobby, topic)];
    const change = { topic: newTopic(), propagateMode: 'change_all' };
    await expect(world.edit(bob, third, change)).rejects.toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      fields: {
        first_message_id_allowed_to_move: second,
        total_messages_allowed_to_move: 2,
        total_messages_in_topic: 3,
      },
    });
    await world.edit(bob, third, { topic: `✔ ${topic}`, propagateMode: 'change_all' });
  });
});

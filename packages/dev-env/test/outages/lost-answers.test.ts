import {
  addReaction,
  createDrafts,
  createReminder,
  createSavedSnippet,
  createScheduledMessage,
  editMessage,
  getDrafts,
  getMessages,
  getReminders,
  getSavedSnippets,
  getScheduledMessages,
  removeReaction,
  sendInvitations,
  sendMessage,
  subscribe,
  unsubscribe,
  updateFlags,
  updateOwnStatus,
  updateUserTopic,
} from '@parley/gateway/endpoints';
import { until } from '@parley/shared/testing';
import { groupBy } from '@parley/shared/values';
import { TestNetwork } from '../../src';

const LIMIT_MS = 240_000;
const KILLED = ['messages', 'realm'] as const;
const WRITERS = 4;

let network: TestNetwork;
beforeAll(async () => {
  const replicas = { messages: 2, realm: 2, invites: 2, scheduler: 2 };
  network = await TestNetwork.create({ processes: [...KILLED, 'invites', 'scheduler'], replicas });
}, LIMIT_MS);
afterAll(() => network.stop());

/** Kills a replica of a service, and starts it again. */
async function replace(name: 'messages' | 'realm' | 'invites' | 'scheduler', index: number): Promise<void> {
  const replica = network.replicas[name][index];
  await replica?.kill();
  await replica?.start();
}

/** The requests of one writer, with their results. */
interface Written {
  contents: string[];
  reacted: Map<number, boolean>;
}

/** Every kind of write that the gateway may repeat, each of which fails the test unless it is answered with success. */
async function write(writer: number, written: Written, isOver: () => boolean): Promise<void> {
  const { dan } = network;
  const topic = `writer ${writer}`;
  const subscriptions = [{ name: `room ${writer}` }];
  const { id: firstId } = await dan.call(sendMessage, { type: 'channel', to: 'general', topic, content: topic });
  const { message_id: _, ...channel } = await channelOf(firstId);
  for (let round = 0; !isOver(); round += 1) {
    const content = `${topic}, round ${round}`;
    const { id } = await dan.call(sendMessage, { type: 'channel', to: 'general', topic, content });
    await dan.call(addReaction, { message_id: id, emoji_name: 'smile' });
    written.reacted.set(id, true);
    await dan.call(updateFlags, { messages: [id], op: 'add', flag: 'starred' });
    await dan.call(editMessage, { message_id: id, content: `${content}, edited` });
    await dan.call(createDrafts, { drafts: [{ type: 'stream', to: [channel.stream_id], topic, content }] });
    await dan.call(createSavedSnippet, { title: 'Round', content });
    written.contents.push(`${content}, edited`);
    if (round % 2 === 0) {
      await dan.call(removeReaction, { message_id: id, emoji_name: 'smile' });
      written.reacted.set(id, false);
    }
    await dan.call(updateUserTopic, { ...channel, topic, visibility_policy: round % 2 === 0 ? 3 : 1 });
    await dan.call(subscribe, { subscriptions });
    await dan.call(unsubscribe, { subscriptions: subscriptions.map(({ name }) => name) });
    await dan.call(updateOwnStatus, { status_text: content });
  }
}

async function channelOf(messageId: number): Promise<{ stream_id: number; message_id: number }> {
  const { messages } = await network.dan.call(getMessages, { message_ids: [messageId] });
  return { stream_id: (messages[0] as { stream_id: number }).stream_id, message_id: messageId };
}

async function readAll() {
  const { messages } = await network.dan.call(getMessages, {
    anchor: 'newest',
    num_before: 5_000,
    num_after: 0,
    apply_markdown: false,
    narrow: [{ operator: 'sender', operand: network.dan.userId }],
  });
  return messages;
}

type Heard = { id: number; subject: string };

/** Each writer has a topic. Messages that replicas store at the same time in different topics have no order. */
function idsByTopic(messages: readonly Heard[]): Map<string, number[]> {
  const topics = groupBy(messages, ({ subject }) => subject);
  return new Map([...topics].map(([topic, all]) => [topic, all.map(({ id }) => id)]));
}

test(
  'what a service had done when it was killed, and what it had not, is done once, and everybody hears of success',
  async () => {
    const queue = await network.eve.events({ event_types: ['message'] });
    let isOver = false;
    const writers = Array.from({ length: WRITERS }, () => ({ contents: [], reacted: new Map() }) as Written);
    const writing = Promise.all(writers.map((written, index) => write(index, written, () => isOver)));
    const ended = writing.catch(() => {
      isOver = true;
    });
    // Two rounds; at a time one of each.
    for (const index of [0, 1, 0, 1]) {
      const roundsBefore = writers[0]?.contents.length ?? 0;
      await Promise.all(KILLED.map((name) => replace(name, index)));
      await until(() => isOver || (writers[0]?.contents.length ?? 0) > roundsBefore);
    }
    isOver = true;
    await ended;
    await writing;
    await network.settle();

    const messages = await readAll();
    const contents = messages.map(({ content }) => content).filter((content) => content.endsWith(', edited'));
    expect(contents.toSorted()).toEqual(writers.flatMap((each) => each.contents).toSorted());
    const written = contents.map((content) => content.replace(', edited', '')).toSorted();
    const { drafts } = await network.dan.call(getDrafts, {});
    expect(drafts.map(({ content }) => content).toSorted()).toEqual(written);
    const { saved_snippets: snippets } = await network.dan.call(getSavedSnippets, {});
    expect(snippets.map(({ content }) => content).toSorted()).toEqual(written);
    const reactions = messages.map((each) => [each.id, (each.reactions as unknown[]).length > 0]);
    const expected = writers.flatMap(({ reacted }) => [...reacted]);
    expect(reactions.filter(([id]) => expected.some(([reactedId]) => reactedId === id)).sort()).toEqual(
      expected.sort(),
    );
    const heard = (await queue.rest()).map(({ message }) => message as Heard);
    expect(idsByTopic(heard)).toEqual(idsByTopic(messages));
  },
  LIMIT_MS,
);

test(
  'invitations of which the answer was lost are sent once',
  async () => {
    const { iris } = network;
    let isOver = false;
    let count = 0;
    const inviting = (async () => {
      for (; !isOver; count += 1) {
        await iris.call(sendInvitations, { invitee_emails: `lost-${count}@example.org`, stream_ids: [] });
      }
    })();
    for (const index of [0, 1]) await Promise.all([replace('invites', index), replace('realm', index)]);
    isOver = true;
    await inviting;
    const rows = await network.database('invites').query<{ email: string }>('select email from invitation');
    expect(new Set(rows.map(({ email }) => email)).size).toBe(count);
    expect(rows).toHaveLength(count);
  },
  LIMIT_MS,
);

test(
  'what is to be done later, of which the answer was lost, is kept once',
  async () => {
    const { dan } = network;
    const { id } = await dan.call(sendMessage, { type: 'channel', to: 'general', topic: 'later', content: 'later' });
    const { stream_id: to } = await channelOf(id);
    const scheduled_delivery_timestamp = Math.floor(Date.now() / 1_000) + 24 * 60 * 60;
    let isOver = false;
    const contents: string[] = [];
    const scheduling = (async () => {
      while (!isOver) {
        const content = `later ${contents.length}.`;
        const message = { type: 'channel', to, topic: 'later', content } as const;
        await dan.call(createScheduledMessage, { ...message, scheduled_delivery_timestamp });
        await dan.call(createReminder, { message_id: id, note: content, scheduled_delivery_timestamp });
        contents.push(content);
      }
    })();
    for (const index of [0, 1, 0, 1]) await replace('scheduler', index);
    isOver = true;
    await scheduling;
    const { scheduled_messages: scheduled } = await dan.call(getScheduledMessages, {});
    expect(scheduled.map(({ content }) => content).toSorted()).toEqual(contents.toSorted());
    const { reminders } = await dan.call(getReminders, {});
    const notes = reminders.map(({ content }) => /^> (later .*)$/m.exec(content)?.[1]);
    expect(notes.toSorted()).toEqual(contents.toSorted());
  },
  LIMIT_MS,
);

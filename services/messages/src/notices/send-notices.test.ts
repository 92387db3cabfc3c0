import { type Bus, connectBus } from '@parley/shared/bus';
import {
  channelWoken,
  type MessageSent,
  messageSent,
  type NoticeAnnounced,
  noticeAnnounced,
} from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, testServers } from '@parley/shared/testing';
import { announcedBy } from '../../test/announced';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, getRequest, idsOf, type MessagesUnderTest, startMessages, term } from '../../test/start-messages';
import { deleteExpiredSendKeysPeriodically } from '../send-keys/send-keys';

const DAY_MS = 24 * 60 * 60_000;

const clock = createFakeClock();
let network: MessagesUnderTest;
let bus: Bus;
let bot: User;
let ann: User;
let bob: User;
let gone: User;
let lobby: PeerChannel;
let lastId = 0;

beforeAll(async () => {
  network = await startMessages({ clock });
  bus = await connectBus({ url: testServers().natsUrl, prefix: network.prefix, name: 'test', log: silentLogger });
  const { realm } = network;
  bot = realm.addUser('Notification Bot', { isBot: true, botType: 1, isSystemBot: true });
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  gone = realm.addUser('Gone', { isActive: false });
  lobby = realm.addChannel('Lobby', { isArchived: true, senderIds: [] });
  realm.subscribe(lobby, ann, bob);
});

afterAll(async () => {
  await bus.close();
  await network.stop();
});

type Notice = Omit<NoticeAnnounced, 'senderId' | 'readByIds'> & Partial<NoticeAnnounced>;

const toLobby = (content: string, more: Partial<NoticeAnnounced> = {}): Notice => ({
  to: { channelId: lobby.id, topic: 'channel events' },
  content,
  ...more,
});

/** Publishes one record of notices to the log; returns the ids of their events. */
async function announce(...notices: Notice[]): Promise<number[]> {
  const ids = notices.map(() => (lastId += 1));
  await publish(ids, notices);
  return ids;
}

async function publish(ids: number[], notices: Notice[]): Promise<void> {
  const payloads = notices.map((notice) => ({ senderId: bot.id, readByIds: [], ...notice }));
  const record = { service: 'realm', kind: noticeAnnounced.kind, realmId: 1, ids, payloads };
  await bus.js.publish(bus.subject(1, noticeAnnounced.kind), JSON.stringify(record));
}

/** The messages sent, in order, up to the one with this content. */
async function sentUntil(content: string): Promise<MessageSent[]> {
  for (;;) {
    const rows = await network.service.db.query<{ payload: string }>(
      'select payload from outbox where kind = $1 order by id',
      [messageSent.kind],
    );
    const sent = rows.map(({ payload }) => JSON.parse(payload) as MessageSent);
    if (sent.at(-1)?.message.content === content) return sent;
  }
}

test('a notice is a message of the bot: no permission is checked, mentions are silent', async () => {
  await announce(toLobby(`@_**Ann|${ann.id}** changed #**Lobby**.`, { readByIds: [ann.id] }));
  const [sent] = await sentUntil(`@_**Ann|${ann.id}** changed #**Lobby**.`);
  expect(sent).toMatchObject({
    message: {
      sender: { id: bot.id, isSystemBot: true },
      channelId: lobby.id,
      topic: 'channel events',
      clientName: 'Internal',
      sentAtMs: clock.now(),
    },
    subscriptionVersion: lobby.subscriptionVersion,
    readByIds: [ann.id],
    mentionedIds: [],
  });
  expect(sent?.message.renderedContent).toContain(
    `<span class="user-mention silent" data-user-id="${ann.id}">Ann</span>`,
  );
});

test('starts as read for the named users only', async () => {
  // In an archived channel everything counts as read.
  lobby.isArchived = false;
  await announce(toLobby('read by Bob', { readByIds: [bob.id] }));
  const id = (await sentUntil('read by Bob')).at(-1)?.message.id as number;
  const flagsFor = async (user: User) => {
    const { messages } = await network.client.getMessages(callerOf(user), getRequest({ messageIds: [id] }));
    return messages[0]?.flags;
  };
  expect(await flagsFor(bob)).toEqual(['read']);
  expect(await flagsFor(ann)).toEqual([]);
  const firstUnread = { ...getRequest(), anchorKind: 'first_unread', narrow: [term('channel', { id: lobby.id })] };
  expect((await network.client.getMessages(callerOf(ann), firstUnread)).anchor).toBe(id);
  expect((await network.client.getMessages(callerOf(bob), firstUnread)).anchor).not.toBe(id);
});

test('users get a direct message each, except deactivated ones', async () => {
  await announce({ to: { userIds: [ann.id, gone.id, bob.id] }, content: 'personal' }, toLobby('after it'));
  const sent = (await sentUntil('after it')).filter(({ message }) => message.content === 'personal');
  expect(sent.map(({ message }) => message.participants.map(({ id }) => id))).toEqual([
    [bot.id, ann.id],
    [bot.id, bob.id],
  ]);
  const { messages } = await network.client.getMessages(
    callerOf(ann),
    getRequest({ narrow: [term('dm', { ids: [bot.id], isList: true })] }),
  );
  expect(messages).toMatchObject([{ content: 'personal', sender: { id: bot.id, isSystemBot: true } }]);
});

test('starts starred for its receivers if the notice asks for that', async () => {
  await announce({ to: { userIds: [ann.id] }, content: 'keep me', isStarred: true }, toLobby('after that'));
  await sentUntil('after that');
  const narrow = [term('is', { text: 'starred' })];
  for (;;) {
    const { messages } = await network.client.getMessages(callerOf(ann), getRequest({ narrow }));
    if (messages.length === 0) continue;
    expect(messages).toMatchObject([{ content: 'keep me', flags: ['starred'] }]);
    break;
  }
  const events = await network.service.db.query<{ payload: string }>(
    "select payload from outbox where kind = 'flags.changed'",
  );
  expect(events.map(({ payload }) => JSON.parse(payload))).toMatchObject([
    { userId: ann.id, op: 'add', flag: 'starred', isAll: false },
  ]);
});

test('is quiet if the notice asks for that', async () => {
  await announce({ to: { userIds: [ann.id] }, content: 'no need to hurry', isQuiet: true }, toLobby('after quiet'));
  await sentUntil('after quiet');
  const sent = await network.service.db.query<{ payload: string }>(
    "select payload from outbox where kind = 'message.sent' order by id",
  );
  const quietOf = (text: string) =>
    sent
      .map(({ payload }) => JSON.parse(payload))
      .filter(({ message }) => message.content === text)
      .map(({ isQuiet }) => isQuiet);
  expect([quietOf('no need to hurry'), quietOf('after quiet')]).toEqual([[true], [undefined]]);
});

test('a redelivered notice is not sent again', async () => {
  const twice = [toLobby('once'), { to: { userIds: [ann.id, bob.id] }, content: 'once' }];
  const ids = await announce(...twice);
  await publish(ids, twice);
  await publish(ids.slice(1), twice.slice(1));
  await announce(toLobby('end'));
  const sent = await sentUntil('end');
  expect(sent.filter(({ message }) => message.content === 'once')).toHaveLength(3);
});

test('several replicas send each notice once, in order', async () => {
  const replica = await network.startReplica({ clock });
  const contents = Array.from({ length: 30 }, (_, index) => `in order ${index}`);
  for (const content of contents) await announce(toLobby(content), toLobby(`${content}, second`));
  const sent = await sentUntil('in order 29, second');
  const wanted = contents.flatMap((content) => [content, `${content}, second`]);
  expect(sent.map(({ message }) => message.content).filter((content) => content.startsWith('in order'))).toEqual(
    wanted,
  );
  const narrow = [term('channel', { id: lobby.id })];
  const { messages } = await replica.client.getMessages(callerOf(ann), { ...getRequest({ narrow }), numBefore: 60 });
  expect(messages.map(({ content }) => content)).toEqual(wanted);
  expect(idsOf({ messages })).toEqual(idsOf({ messages }).sort((a, b) => a - b));
});

test('is known again for as long as the log may give it out again', async () => {
  await announce(toLobby('remembered'));
  await sentUntil('remembered');
  const keys = async () => {
    const rows = await network.service.db.query('select 1 from send_key where key = $1', [
      `notice:realm:${lastId}:channel`,
    ]);
    return rows.length;
  };
  const letPass = async (ms: number) => {
    clock.advance(ms);
    const stop = deleteExpiredSendKeysPeriodically({ db: network.service.db, clock, log: silentLogger });
    clock.advance(10 * 60_000);
    await stop();
  };
  await letPass(7.5 * DAY_MS);
  expect(await keys()).toBe(1);
  await letPass(DAY_MS);
  expect(await keys()).toBe(0);
});

test('a notice in a quiet channel wakes it, though it is given out twice', async () => {
  const woken = await announcedBy(network.service.db, channelWoken, async () => {
    lobby.isQuiet = true;
    const ids = await announce(toLobby('Anybody here?'));
    await sentUntil('Anybody here?');
    await publish(ids, [toLobby('Anybody here?')]);
    lobby.isQuiet = false;
    await announce(toLobby('Yes'));
    await sentUntil('Yes');
  });
  expect(woken).toEqual([{ channelId: lobby.id }]);
});

import { type Bus, connectBus } from '@parley/shared/bus';
import { personJoined } from '@parley/shared/events';
import type { Message, User } from '@parley/shared/proto';
import { silentLogger } from '@parley/shared/service';
import { testServers } from '@parley/shared/testing';
import type { PeerChannel } from '../../test/realm-peer';
import {
  callerOf,
  getRequest,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
} from '../../test/start-messages';

let network: MessagesUnderTest;
let bus: Bus;
let ann: User;
let lobby: PeerChannel;
let tea: PeerChannel;
let vault: PeerChannel;
let lastId = 0;

beforeAll(async () => {
  network = await startMessages();
  bus = await connectBus({ url: testServers().natsUrl, prefix: network.prefix, name: 'test', log: silentLogger });
  const { realm } = network;
  ann = realm.addUser('Ann');
  lobby = realm.addChannel('Lobby');
  tea = realm.addChannel('Tea');
  vault = realm.addChannel('Vault', { isPrivate: true, isHistoryPublic: false });
  for (const channel of [lobby, tea, vault]) realm.subscribe(channel, ann);
});
afterAll(async () => {
  await bus.close();
  await network.stop();
});

async function post(channel: PeerChannel, content: string): Promise<number> {
  return (await network.client.sendMessage(callerOf(ann), toChannel(channel.id, 'x', content))).messageId;
}

/** A new user in those channels, with their recent history. */
async function join(name: string, channels: PeerChannel[]): Promise<User> {
  const person = network.realm.addUser(name);
  for (const channel of channels) network.realm.subscribe(channel, person);
  await announceJoined(person, channels);
  return person;
}

/** Resolves when the event has been handled. */
async function announceJoined(person: User, channels: PeerChannel[]): Promise<void> {
  lastId += 1;
  const payloads = [{ userId: person.id, channelIds: channels.map(({ id }) => id) }];
  const record = { service: 'realm', kind: personJoined.kind, realmId: 1, ids: [lastId], payloads };
  await bus.js.publish(bus.subject(1, personJoined.kind), JSON.stringify(record));
  for (;;) {
    const done = await network.service.db.query(
      `select 1 from handled_event where consumer = 'messages-person-joined' and event_id = $1`,
      [lastId],
    );
    if (done.length > 0) return;
  }
}

async function feedOf(person: User, narrow = [] as ReturnType<typeof term>[]): Promise<Message[]> {
  const request = getRequest({ narrow, numBefore: 2_000 });
  return (await network.client.getMessages(callerOf(person), request)).messages;
}

test('a new user has the recent messages that they may read, the newest twenty unread', async () => {
  await post(lobby, 'ancient');
  await network.service.db.query("update message set sent_at = sent_at - interval '85 days'");
  await post(vault, 'for those who were there');
  const old: number[] = [];
  for (let count = 0; count < 15; count += 1) {
    old.push(await post(lobby, `lobby ${count}`), await post(tea, `tea ${count}`));
  }
  await post(network.realm.addChannel('Elsewhere'), 'elsewhere');
  const bob = await join('Bob', [lobby, tea, vault]);
  const fresh = await post(lobby, 'welcome');

  const feed = await feedOf(bob);
  expect(feed.map(({ id }) => id)).toEqual([...old, fresh]);
  const flags = feed.map((message) => message.flags);
  expect(flags).toEqual([...Array(10).fill(['read']), ...Array(21).fill([])]);
  expect((await feedOf(bob, [term('is', { text: 'unread' })])).map(({ id }) => id)).toEqual([...old.slice(10), fresh]);
  const { unread } = await network.client.getMessageState(callerOf(bob), {
    includesUnread: true,
    includesStarred: false,
    includesRecentDirects: false,
  });
  expect(unread?.count).toBe(21);
});

test('messages of the first history can be marked, and are read with the rest of the channel', async () => {
  const cleo = await join('Cleo', [lobby]);
  const [first, ...others] = await feedOf(cleo, [term('is', { text: 'unread' })]);
  await network.client.updateFlags(callerOf(cleo), { messageIds: [first?.id as number], op: 'add', flag: 'read' });
  expect((await feedOf(cleo, [term('is', { text: 'unread' })])).map(({ id }) => id)).toEqual(
    others.map(({ id }) => id),
  );
  await network.client.markChannelAsRead(callerOf(cleo), { channelId: lobby.id });
  expect(await feedOf(cleo, [term('is', { text: 'unread' })])).toEqual([]);
});

test('they are given it once, however often their coming is announced', async () => {
  const eve = await join('Eve', [lobby]);
  await network.client.markChannelAsRead(callerOf(eve), { channelId: lobby.id });
  await announceJoined(eve, [lobby]);
  expect(await feedOf(eve, [term('is', { text: 'unread' })])).toEqual([]);
});

test('messages of it that moved to other channels can neither be marked nor seen', async () => {
  const finn = await join('Finn', [lobby, tea]);
  const moved = (await feedOf(finn)).at(0)?.id as number;
  await network.service.db.query('update message set channel_id = $2, moved_version = 1 where id = $1', [
    moved,
    vault.id,
  ]);
  const mark = { messageIds: [moved], op: 'remove', flag: 'read' };
  await expect(network.client.updateFlags(callerOf(finn), mark)).rejects.toThrow('Invalid message(s)');
  await expect(network.client.updateFlags(callerOf(finn), { ...mark, op: 'add', flag: 'starred' })).rejects.toThrow(
    'Invalid message(s)',
  );
  expect((await feedOf(finn)).map(({ id }) => id)).not.toContain(moved);
});

test('it is a thousand messages at most, and no row for each', async () => {
  await network.service.db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select realm_id, id + n, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic
     from (select * from message order by id desc limit 1) newest cross join generate_series(1, 1100) as n`,
  );
  const dora = await join('Dora', [lobby, tea]);
  const feed = await feedOf(dora);
  expect(feed).toHaveLength(1_000);
  expect(feed.filter(({ flags }) => flags.length === 0)).toHaveLength(20);
  const rows = await network.service.db.query(
    'select 1 from personal_flag where user_id = $1 union all select 1 from read_exception where user_id = $1',
    [dora.id],
  );
  expect(rows.length).toBeLessThanOrEqual(40);
});

test('a new user of empty channels gets nothing', async () => {
  const emil = await join('Emil', [network.realm.addChannel('Empty')]);
  expect(await feedOf(emil)).toEqual([]);
});

import { openDatabase } from '@parley/shared/db';
import { flagsChanged, topicPolicyChanged } from '@parley/shared/events';
import type { ClientState, User } from '@parley/shared/proto';
import { connectRpc } from '@parley/shared/rpc';
import { observed, rowsReadIn } from '@parley/shared/testing';
import { announcedBy } from '../../test/announced';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';
import { followAccess } from './follow-access';
import { listKeepers } from './stars-and-policies.sql';

/** Stars and policies of a channel that is hidden and shown again are hidden and shown once, in any order of the events. */

const TOPIC = 'plans';
let network: MessagesUnderTest;
let realm: ReturnType<typeof connectRpc<'realm'>>;
let ann: User;
let eve: User;
let vault: PeerChannel;
let lobby: PeerChannel;
let messageId: number;

beforeAll(async () => {
  network = await startMessages();
  realm = connectRpc('realm', network.realm.address);
  ann = network.realm.addUser('Ann');
});

afterAll(async () => {
  realm.close();
  await network.stop();
});

beforeEach(async () => {
  eve = network.realm.addUser('Eve');
  vault = network.realm.addChannel(`Vault of ${eve.id}`, { isPrivate: true, subscriberCount: 2 });
  lobby = network.realm.addChannel(`Lobby of ${eve.id}`, { subscriberCount: 2 });
  network.realm.subscribe(vault, ann, eve);
  network.realm.subscribe(lobby, ann, eve);
  messageId = (await network.client.sendMessage(callerOf(ann), toChannel(vault.id, TOPIC, 'hi'))).messageId;
  await star('add');
  await decide(3);
});

const star = (op: string) =>
  network.client.updateFlags(callerOf(eve), { messageIds: [messageId], op, flag: 'starred' });
const decide = (policy: number) =>
  network.client.setTopicPolicy(callerOf(eve), { channelId: vault.id, topic: TOPIC, policy });
const close = () => network.realm.unsubscribe(vault, eve);
const open = () => network.realm.subscribe(vault, eve);

/** The effect of an event of realm. */
const follow = (channelIds: number[] | null = [vault.id]) => {
  const { db } = network.service;
  return followAccess({ db, services: { realm: realm.client } }, { realmId: 1, userIds: [eve.id, ann.id], channelIds });
};

/** Eve's events: of stars, then of policies. */
async function eventsOf(run: () => Promise<unknown>): Promise<[string[], number[]]> {
  let policies: number[] = [];
  const flags = await announcedBy(network.service.db, flagsChanged, async () => {
    const changes = await announcedBy(network.service.db, topicPolicyChanged, run);
    policies = changes.filter(({ userId }) => userId === eve.id).map(({ topicPolicy }) => topicPolicy.policy);
  });
  const own = flags.filter(
    ({ userId, audience }) => userId === eve.id || JSON.stringify(audience)?.includes(`[${eve.id}]`),
  );
  return [own.map(({ op }) => op), policies];
}

const readState = (): Promise<ClientState> =>
  network.client.getClientState(callerOf(eve), {
    messages: { includesUnread: false, includesStarred: true, includesRecentDirects: false },
    topicPolicies: {},
  });

/** The number of stars and policies in a client's initial state. */
async function state(): Promise<[number, number]> {
  const { messages, topicPolicies } = await readState();
  return [messages?.starredIds.length ?? 0, topicPolicies?.topicPolicies.length ?? 0];
}

const NOTHING = [[], []];
const HIDDEN = [['remove'], [0]];
const SHOWN = [['add'], [3]];

test('it is announced once, however many events lead to it', async () => {
  close();
  expect(await eventsOf(() => Promise.all([follow(), follow(), follow(null)]))).toEqual(HIDDEN);
  expect(await eventsOf(follow)).toEqual(NOTHING);
  expect(await state()).toEqual([0, 0]);
  open();
  expect(await eventsOf(() => Promise.all([follow(), follow(), follow(null)]))).toEqual(SHOWN);
  expect(await state()).toEqual([1, 1]);
});

test('several hundred users take as many statements and calls of realm as one', async () => {
  const { db } = network.service;
  const club = network.realm.addChannel('Club', { isPrivate: true, subscriberCount: 300 });
  const members = Array.from({ length: 300 }, (_, index) => network.realm.addUser(`Member ${index}`));
  network.realm.subscribe(club, ann, ...members);
  const { messageId: id } = await network.client.sendMessage(callerOf(ann), toChannel(club.id, TOPIC, 'hi'));
  await db.query(
    'insert into personal_flag (realm_id, user_id, message_id, is_starred) select 1, u, $2, true from unnest($1::bigint[]) as u',
    [members.map((member) => member.id), id],
  );
  await db.query(
    `insert into topic_policy (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
     select 1, u, $2, $3, $3, 3, now() from unnest($1::bigint[]) as u`,
    [members.map((member) => member.id), club.id, TOPIC],
  );
  const costOf = async (users: readonly User[]) => {
    network.realm.unsubscribe(club, ...users);
    const own = openDatabase({ url: db.url, poolSize: 1, applicationName: 'follow' });
    const calls = network.realm.readersCalls.length;
    const concerned = { realmId: 1, userIds: users.map((user) => user.id), channelIds: [club.id] };
    const hidden = await announcedBy(db, flagsChanged, () =>
      followAccess({ db: own, services: { realm: realm.client } }, concerned),
    );
    await own.close();
    expect(hidden.map(({ op, messageIds }) => [op, messageIds])).toEqual(users.map(() => ['remove', [id]]));
    return [own.statementCount, network.realm.readersCalls.length - calls];
  };
  const [one, ...many] = members;
  expect(await costOf(many)).toEqual(await costOf([one as User]));
});

test('a channel closed and opened before its events are handled causes no announcement', async () => {
  close();
  open();
  expect(await eventsOf(async () => [await follow(), await follow()])).toEqual(NOTHING);
  expect(await state()).toEqual([1, 1]);
});

test('a client that registers before the events are handled has it in the state; the others get it then', async () => {
  close();
  expect(await eventsOf(async () => expect(await state()).toEqual([0, 0]))).toEqual(HIDDEN);
  expect(await eventsOf(follow)).toEqual(NOTHING);
  open();
  expect(await eventsOf(() => Promise.all([state(), follow(), state()]))).toEqual(SHOWN);
});

test('the state has all announced changes: a client with its snapshot gets none of them again', async () => {
  close();
  const { snapshot } = await readState();
  const [row] = await network.service.db.query<{ isSeen: boolean }>(
    `select bool_and(pg_visible_in_snapshot(transaction_id::text::xid8, $1::pg_snapshot)) as "isSeen" from outbox`,
    [snapshot],
  );
  expect(row).toEqual({ isSeen: true });
});

test('the end of a hidden policy is not announced', async () => {
  close();
  await follow();
  expect(await eventsOf(() => decide(0))).toEqual(NOTHING);
  open();
  expect(await eventsOf(follow)).toEqual([['add'], []]);
});

test('a star removed before it is shown again is not announced', async () => {
  close();
  await follow();
  open();
  expect(await eventsOf(() => star('remove'))).toEqual(NOTHING);
  expect(await eventsOf(follow)).toEqual([[], [3]]);
});

test('a policy set again before it is shown again is announced once', async () => {
  close();
  await follow();
  open();
  expect(await eventsOf(() => decide(1))).toEqual([[], [1]]);
  expect(await eventsOf(follow)).toEqual([['add'], []]);
});

test('a star set by two clients at once is announced once', async () => {
  await star('remove');
  expect(await eventsOf(() => Promise.all([star('add'), star('add')]))).toEqual([['add'], []]);
  expect(await eventsOf(() => Promise.all([star('remove'), star('remove')]))).toEqual([['remove'], []]);
});

test('hidden stars are announced when they move to a readable channel, and not when their topic moves to a hidden one', async () => {
  close();
  await follow();
  const edit = (facts: object) =>
    network.client.editMessage(callerOf(ann), { messageId, propagateMode: 'change_all', ...facts } as never);
  expect(await eventsOf(() => edit({ topic: 'other plans' }))).toEqual(NOTHING);
  expect(await eventsOf(() => edit({ channelId: lobby.id }))).toEqual([['add'], []]);
  expect(await eventsOf(() => follow(null))).toEqual(NOTHING);
});

test('with deleted messages go the stars that are shown, and no others', async () => {
  close();
  await follow();
  expect(await eventsOf(() => network.client.deleteMessage(callerOf(ann), { messageId } as never))).toEqual(NOTHING);
});

test('a change of a channel reads the policies for it, of however many', async () => {
  const { db } = network.service;
  await db.query(
    `insert into topic_policy (realm_id, user_id, channel_id, name_key, name, policy, updated_at)
     select 9, 1 + n % 1000, 1 + sqrt(n)::int, n::text, n::text, 1, now() from generate_series(0, 20000) n`,
  );
  await db.query('vacuum analyze topic_policy');
  const { sql, plans } = observed(db);
  const userIds = Array.from({ length: 1_000 }, (_, nth) => 1 + nth);
  expect(await listKeepers(sql, { realmId: 9, userIds, channelIds: [1] })).toEqual([1]);
  expect(rowsReadIn(plans)).toBeLessThan(50);
});

/** Of messages in other channels, by a thousand users. */
const STARS = 20_000;

test.each([
  [
    'many users of a channel with few messages',
    () => Array.from({ length: 1_000 }, (_, nth) => 1 + nth),
    [1],
    [1, 2, 3],
  ],
  ['one user of many channels', () => [7], Array.from({ length: 400 }, (_, nth) => 2 + nth), [7]],
])('for %s, stars are found from the fewer', async (_, userIds, channelIds, keepers) => {
  const { db } = network.service;
  await db.query('delete from personal_flag where realm_id = 9');
  await db.query('delete from message where realm_id = 9');
  await db.query(
    `insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
       rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
     select 9, n, channel, channel, channel, 1, 2, repeat('word ', 60), '', now(), 'test', false, false, false, false
     from generate_series(1, ${STARS}) n, lateral (select case when n <= 3 then 1 else 2 + n % 400 end as channel) c`,
  );
  await db.query(
    `insert into personal_flag (realm_id, user_id, message_id, is_starred) select 9, 1 + (id - 1) % 1000, id, true from message where realm_id = 9`,
  );
  await db.query('vacuum analyze message');
  await db.query('vacuum analyze personal_flag');
  const { sql, plans } = observed(db);
  expect(await listKeepers(sql, { realmId: 9, userIds: userIds(), channelIds })).toEqual(keepers);
  expect(rowsReadIn(plans)).toBeLessThan(200);
});

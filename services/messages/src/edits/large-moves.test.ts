import { ServiceUnavailableError } from '@parley/shared/errors';
import { MAX_DELETED_SINGLY } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { connectRpc } from '@parley/shared/rpc';
import { observed } from '@parley/shared/testing';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { createEditWorld, type EditWorld, editRequest } from '../../test/edit-world';
import { messagesReadIn } from '../../test/observed-plans';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf } from '../../test/start-messages';
import { KnownReadFacts } from '../access/known-read-facts';
import { loadReader } from '../access/load-reader';
import { findMoving } from './find-moving';
import { MoveTime, requireTimeToCommit, SLICE, willEndInTime } from './move-time';

const FEW = 200;
const MANY = 5_000;

let world: EditWorld;
let topicNumber = 0;

beforeAll(async () => {
  world = await createEditWorld();
});
afterAll(() => world.network.stop());

const query = <Row>(sql: string, values: unknown[] = []) => world.network.service.db.query<Row>(sql, values);

/** A new topic with that many messages; resolves with its name, and the id of its first message. */
async function largeTopic(channel: PeerChannel, count: number): Promise<{ topic: string; id: number }> {
  const topic = `large ${++topicNumber}`;
  const id = await world.send(world.ann, channel, topic);
  await query(
    `with sent as (
       insert into message (realm_id, id, conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
         rendered_content, sent_at, client_name, is_me_message, is_read_by_sender, mentions_channel, mentions_topic)
       select realm_id, nextval('message_id'), conversation_id, channel_id, sent_channel_id, sent_version, sender_id, content,
         rendered_content, sent_at, client_name, false, false, false, false
       from message cross join generate_series(2, $2::int) n where id = $1 returning id, conversation_id
     )
     update topic t set max_message_id = (select max(id) from sent) where id in (select conversation_id from sent)`,
    [id, count],
  );
  return { topic, id };
}

async function countIn(channel: PeerChannel, topic: string): Promise<number> {
  const [row] = await query<{ count: number }>(
    `select count(*) from message m join topic t on t.id = m.conversation_id
     where t.channel_id = $1 and t.name_key = $2 and m.channel_id = $1`,
    [channel.id, topic],
  );
  return (row as { count: number }).count;
}

/** Statements, and rows and characters of the outbox, of moving a topic of that many messages where some may not follow. */
async function costOf(count: number) {
  const { ann, lobby, secret, network } = world;
  const { id, topic } = await largeTopic(lobby, count);
  await world.events();
  const before = network.service.db.statementCount;
  await world.edit(ann, id, { channelId: secret.id, propagateMode: 'change_all' });
  const statements = network.service.db.statementCount - before;
  expect(await countIn(secret, topic)).toBe(count);
  const events = await world.events();
  return { statements, events: events.length, characters: JSON.stringify(events).length };
}

test('the cost of a move with events for those who lose the messages does not grow with their number, except for slices and ids', async () => {
  const [few, many] = [await costOf(FEW), await costOf(MANY)];
  // Each slice is written by two statements; one limits their time.
  expect(many.statements - few.statements).toBeLessThanOrEqual(2 * Math.ceil(MANY / SLICE) + 1);
  expect(many.events - few.events).toBeLessThan(MANY / MAX_DELETED_SINGLY);
  const perMessage = (many.characters - few.characters) / (MANY - FEW);
  // Its id in each of the events; in parts of 500, an audience for as many.
  expect(perMessage).toBeLessThan(40);
}, 60_000);

test('a move for which the time of its request does not suffice is refused, and does not take place', async () => {
  const { ann, lobby, other, network } = world;
  const { id, topic } = await largeTopic(lobby, MANY);
  await world.events();
  const hurried = { ...callerOf(ann), deadlineAt: Date.now() + 1_500 };
  const change = { channelId: other.id, propagateMode: 'change_all' };
  const refused = network.client.editMessage(hurried, editRequest(id, change));
  await expect(refused).rejects.toThrow(REFUSAL.messages.tooManyToMove);
  expect([await countIn(lobby, topic), await countIn(other, topic)]).toEqual([MANY, 0]);
  expect(await world.events()).toEqual([]);
  await world.edit(ann, id, change);
  expect([await countIn(lobby, topic), await countIn(other, topic)]).toEqual([0, MANY]);
  // As a client does that has lost the answer.
  await world.events();
  await expect(world.edit(ann, id, change)).rejects.toThrow('Nothing to change');
  expect(await world.events()).toEqual([]);
}, 60_000);

test('no move takes place whose caller has no time left for the answer', async () => {
  const { ann, lobby, other, network } = world;
  const { id, topic } = await largeTopic(lobby, 2);
  await world.events();
  const hurried = { ...callerOf(ann), deadlineAt: Date.now() + 450 };
  const change = { channelId: other.id, propagateMode: 'change_all' };
  await expect(network.client.editMessage(hurried, editRequest(id, change))).rejects.toThrow();
  await network.service.db.transaction(async (tx) => {
    // Waits for the end of the move.
    await tx.query('select from topic where name_key = $1 for update', [topic]);
  });
  expect([await countIn(lobby, topic), await countIn(other, topic)]).toEqual([2, 0]);
  expect(await world.events()).toEqual([]);
});

test('a move of few messages without time for the answer may be repeated, one of many is to be made in parts', () => {
  const hurried = { deadlineAt: Date.now() + 100 };
  expect(() => requireTimeToCommit(hurried, 1)).toThrow(ServiceUnavailableError);
  expect(() => requireTimeToCommit(hurried, SLICE + 1)).toThrow(REFUSAL.messages.tooManyToMove);
  expect(() => requireTimeToCommit({ deadlineAt: Date.now() + 60_000 }, SLICE + 1)).not.toThrow();
});

/** What would move with the last message of a topic, and the messages read for that. */
async function movingOf(actor: User, channel: PeerChannel, topic: string, propagateMode: string) {
  const { client, close } = connectRpc('realm', world.network.realm.address);
  const reader = await loadReader({ readFacts: new KnownReadFacts(client, world.clock) }, callerOf(actor));
  close();
  const [last] = await query<{ conversationId: number; messageId: number }>(
    `select id as "conversationId", max_message_id as "messageId" from topic where channel_id = $1 and name_key = $2`,
    [channel.id, topic],
  );
  const plan = { propagateMode, moveLimitSecs: null };
  const { sql, plans } = observed(world.network.service.db);
  const question = { realmId: actor.realmId, ...(last as NonNullable<typeof last>), plan, reader, nowMs: 0 };
  const moving = await findMoving(sql, question);
  return { ...moving, rows: messagesReadIn(plans).rows };
}

test('to move one message of a large topic, others are read only until the actor sees one', async () => {
  const { ann, bob, lobby, secret, network } = world;
  const large = await largeTopic(lobby, MANY);
  await query('analyze message');
  const one = await movingOf(ann, lobby, large.topic, 'change_one');
  expect(one).toMatchObject({ messages: [{}], isWholeTopic: false, isWholeVisibleTopic: false });
  expect(one.rows).toBeLessThan(150);
  // Of a protected history, the newcomer sees the last one only.
  const hidden = await largeTopic(secret, FEW);
  network.realm.subscribe(secret, bob);
  await world.send(bob, secret, hidden.topic);
  expect(await movingOf(bob, secret, hidden.topic, 'change_one')).toMatchObject({
    ...{ messages: [{}], isWholeTopic: false, isWholeVisibleTopic: true },
  });
  const single = await largeTopic(lobby, 1);
  expect(await movingOf(ann, lobby, single.topic, 'change_one')).toMatchObject({
    ...{ messages: [{}], isWholeTopic: true, isWholeVisibleTopic: true },
  });
});

test.each([
  ['nothing is known of the pace yet', { leftMs: 10_000, spentMs: 0, written: 0, total: 100_000 }, true],
  ['the pace suffices', { leftMs: 10_000, spentMs: 4_000, written: 60_000, total: 100_000 }, true],
  ['the pace does not suffice', { leftMs: 10_000, spentMs: 5_000, written: 20_000, total: 100_000 }, false],
  ['the pace was that of a moment', { leftMs: 10_000, spentMs: 3_000, written: 2_000, total: 100_000 }, true],
  ['there is no time for the events', { leftMs: 1_900, spentMs: 12_000, written: 100_000, total: 100_000 }, false],
])('whether a move will end in time: %s', (_title, progress, answer) => {
  expect(willEndInTime(progress)).toBe(answer);
});

test('the pace of a move is that of writing its messages, whatever was computed before', () => {
  const request = { deadlineAt: Date.now() + 14_000 };
  const time = new MoveTime(request, 40_000);
  const passMs = (ms: number) => {
    request.deadlineAt -= ms;
  };
  passMs(4_000);
  time.check(0);
  passMs(200);
  time.check(2_000);
  passMs(4_300);
  expect(() => time.check(4_000)).toThrow(REFUSAL.messages.tooManyToMove);
});

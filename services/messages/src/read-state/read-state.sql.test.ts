import { flagsChanged } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import { untilWaiting } from '@parley/shared/testing';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';
import { MOVE_READ_STATE, moveReadState } from './move-read-state.sql';
import { markChannelsReadTo, markRangesRead } from './read-state.sql';

let network: MessagesUnderTest;
let ann: User;
let channel: PeerChannel;

beforeAll(async () => {
  network = await startMessages();
  ann = network.realm.addUser('Ann');
  channel = network.realm.addChannel('Lobby');
  network.realm.subscribe(channel, ann);
});
afterAll(() => network.stop());

const post = async (topic: string) =>
  (await network.client.sendMessage(callerOf(ann), toChannel(channel.id, topic, 'hi'))).messageId;

const rows = <Row>(sql: string, values: unknown[] = []) => network.service.db.query<Row>(sql, values);

async function conversationOf(messageId: number): Promise<number> {
  const [row] = await rows<{ id: number }>('select conversation_id as id from message where id = $1', [messageId]);
  return (row as { id: number }).id;
}

test('a mark waits for the move of its message, and is stored where it went', async () => {
  const [moved, other] = [await post('from'), await post('to')];
  const [from, to] = [await conversationOf(moved), await conversationOf(other)];
  let marked: Promise<unknown> | undefined;
  await network.service.db.transaction(async (tx) => {
    const place = (conversationId: number) => ({ conversationId, channelId: channel.id });
    await moveReadState(tx, { realmId: ann.realmId, messageIds: [moved], from: place(from), to: place(to) });
    marked = network.client.updateFlags(callerOf(ann), { messageIds: [moved], op: 'add', flag: 'read' });
    await untilWaiting(network.service.db, marked);
    await tx.query('update message set conversation_id = $2 where id = $1', [moved, to]);
  });
  await marked;
  const exceptions = await rows('select conversation_id as id, read @> $1::bigint as "isRead" from read_exception', [
    moved,
  ]);
  expect(exceptions).toEqual([{ id: to, isRead: true }]);
});

test('what is computed with the runs of a move, as many as messages, is computed once for a user, where they have such marks', async () => {
  const plan = await rows<{ 'QUERY PLAN': string }>(`explain (verbose, costs off) ${MOVE_READ_STATE.text}`, [
    ...[ann.realmId, [1, 2], 1, channel.id, 2, channel.id + 1],
  ]);
  const text = plan.map((row) => row['QUERY PLAN']).join('\n');
  const guarded = /CASE WHEN isempty\([\w.]+\) THEN '\{\}'::int8multirange ELSE \(runs\.ids \* [\w.]+\) END/g;
  expect(text.match(/runs\.ids \*/g)).toHaveLength(3);
  expect(text.match(guarded)).toHaveLength(3);
});

describe('marks as unread, between which are messages of other topics, leave nothing behind', () => {
  const OF_ANN = "select conversation_id as id from read_exception where user_id = $1 and unread <> '{}' order by id";
  let marked: number[];
  let conversations: { conversationId: number; messageIds: number[] }[];

  beforeEach(async () => {
    const ids: number[] = [];
    for (let nth = 0; nth < 3; nth += 1) for (const topic of ['a', 'b', 'c']) ids.push(await post(topic));
    // Those of the last topic stay as they are.
    marked = ids.filter((_, nth) => nth % 3 !== 2);
    for (const op of ['add', 'remove']) {
      await network.client.updateFlags(callerOf(ann), { messageIds: marked, op, flag: 'read' });
    }
    const idsIn = (topic: number) => marked.filter((_, nth) => nth % 2 === topic);
    const conversation = async (topic: number) => ({
      conversationId: await conversationOf(marked[topic] as number),
      messageIds: idsIn(topic),
    });
    conversations = await Promise.all([0, 1].map(conversation));
    expect(await rows(OF_ANN, [ann.id])).toEqual(conversations.map(({ conversationId }) => ({ id: conversationId })));
  });

  const range = () => ({
    realmId: ann.realmId,
    userId: ann.id,
    fromId: Math.min(...marked),
    toId: Math.max(...marked),
  });

  test('once their channel is read', async () => {
    const change = { userId: ann.id, op: 'add', flag: 'read', messageIds: marked, isAll: false } as const;
    const read = { messageIds: marked, event: flagsChanged(ann.realmId, change) };
    await network.service.db.transaction((tx) => markChannelsReadTo(tx, range(), [channel.id], read));
    expect(await rows(OF_ANN, [ann.id])).toEqual([]);
  });

  test('once consecutive messages are read', async () => {
    await network.service.db.transaction((tx) => markRangesRead(tx, range(), conversations));
    expect(await rows(OF_ANN, [ann.id])).toEqual([]);
    const pieces = await rows(
      'select (select count(*)::int from unnest(read)) as count from read_exception where user_id = $1 and conversation_id = any($2)',
      [ann.id, conversations.map(({ conversationId }) => conversationId)],
    );
    expect(pieces).toEqual([{ count: 1 }, { count: 1 }]);
  });
});

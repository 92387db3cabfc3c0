import type { User } from '@parley/shared/proto';
import { untilWaiting } from '@parley/shared/testing';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';
import { MOVE_READ_STATE, moveReadState } from './move-read-state.sql';

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

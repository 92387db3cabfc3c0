import type { User } from '@parley/shared/proto';
import { untilWaiting } from '@parley/shared/testing';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';
import { moveReadState } from './move-read-state.sql';

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

import type { User } from '@parley/shared/proto';
import { createEditWorld, type EditWorld } from '../../test/edit-world';
import { callerOf, type Replica, toChannel } from '../../test/start-messages';

const ROUNDS = 12;
let world: EditWorld;
let replicas: Pick<Replica, 'client'>[];

beforeAll(async () => {
  world = await createEditWorld();
  replicas = [world.network, await world.network.startReplica()];
});
afterAll(() => world.network.stop());

const query = <Row>(sql: string) => world.network.service.db.query<Row>(sql);

/** Ignores refusals caused by concurrent changes. */
async function attempt(work: Promise<unknown>): Promise<void> {
  await work.catch((error) => {
    const isExpected =
      /Invalid message\(s\)|Message already deleted|Nothing to change|permission to edit this message/.test(
        String(error?.message),
      );
    if (!isExpected) throw error;
  });
}

test('sends, edits, moves and deletions of the same topics at two replicas leave everything consistent', async () => {
  const { ann, bob, mod, ada, lobby, other } = world;
  const topics = ['Alpha', 'Beta', 'Gamma'];
  const [at, also] = replicas as [Replica, Replica];
  const sent: number[] = [];
  const pick = (n: number) => topics[n % topics.length] as string;
  const send = async (who: User, replica: Replica, topic: string) => {
    const { messageId } = await replica.client.sendMessage(callerOf(who), toChannel(lobby.id, topic, 'hi @**Bob**'));
    sent.push(messageId);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await Promise.all([send(ann, at, pick(round)), send(bob, also, pick(round)), send(mod, at, pick(round + 1))]);
    const target = (back: number) => sent[sent.length - 1 - back] as number;
    const all = { propagateMode: 'change_all' };
    await Promise.all([
      send(ann, also, pick(round)),
      attempt(world.edit(mod, target(0), { topic: pick(round + 2), ...all }, at)),
      attempt(world.edit(mod, target(1), { topic: pick(round + 1), ...all }, also)),
      attempt(world.edit(ada, target(2), { channelId: round % 2 ? other.id : lobby.id, topic: pick(round) }, at)),
      attempt(world.edit(mod, target(0), { topic: `✔ ${pick(round)}`, propagateMode: 'change_later' }, also)),
      attempt(world.edit(bob, target(1), { content: `edited ${round}` }, at)),
      attempt(also.client.deleteMessage(callerOf(ada), { messageId: target(3) })),
      send(bob, at, pick(round + 1)),
    ]);
  }
  expect(
    await query(`select id from message m where channel_id is not null and not exists (
    select from topic t where t.realm_id = m.realm_id and t.id = m.conversation_id and t.channel_id = m.channel_id)`),
  ).toEqual([]);
  expect(
    await query(`select t.name from topic t where t.max_message_id is distinct from (
    select max(id) from message m where m.realm_id = t.realm_id and m.conversation_id = t.id)`),
  ).toEqual([]);
  expect(
    await query(
      'select n.message_id from mention n where not exists (select from message m where m.id = n.message_id)',
    ),
  ).toEqual([]);
  await expectHistoriesToEndInThePresent(sent);
  await expectEventsToTellThePresent();
}, 60_000);

/** Each message's history, edit by edit, leads to its current place. */
async function expectHistoriesToEndInThePresent(messageIds: number[]): Promise<void> {
  const { ada, network } = world;
  for (const messageId of messageIds) {
    const read = await world.read(ada, messageId).catch(() => null);
    if (read === null) continue;
    const { snapshots } = await network.client.getMessageHistory(callerOf(ada), { messageId });
    snapshots.slice(1).forEach((snapshot, index) => {
      if (snapshot.prevTopic !== undefined) expect(snapshot.prevTopic).toBe(snapshots[index]?.topic);
    });
    expect(snapshots.at(-1)?.topic).toBe(read.topic);
    expect(snapshots.at(-1)?.content).toBe(read.content);
  }
}

/** The events applied in order give the state of the database. */
async function expectEventsToTellThePresent(): Promise<void> {
  const known = new Map<number, { topic: string; channelId: number; content: string }>();
  for (const { kind, payload } of await world.events()) {
    const event = payload as {
      message: { id: number; topic: string; channelId: number; content: string };
      messageId: number;
      messageIds: number[];
      move?: { topic?: string; channelId?: number };
      content?: { content: string };
    };
    if (kind === 'message.sent') known.set(event.message.id, { ...event.message });
    if (kind === 'messages.deleted' && !('to' in payload && payload.to === 'users')) {
      const isLoss = (payload.audience as { to: string }).to === 'users';
      for (const id of isLoss ? [] : event.messageIds) known.delete(id);
    }
    if (kind !== 'message.edited') continue;
    for (const id of event.messageIds) Object.assign(known.get(id) ?? {}, event.move);
    if (event.content) Object.assign(known.get(event.messageId) ?? {}, { content: event.content.content });
  }
  const rows = await query<{ id: number; topic: string; channelId: number; content: string }>(
    `select m.id, coalesce(m.topic_name, t.name) as topic, m.channel_id as "channelId", m.content
     from message m join topic t on t.realm_id = m.realm_id and t.id = m.conversation_id order by m.id`,
  );
  const announced = [...known]
    .sort(([a], [b]) => a - b)
    .map(([id, { topic, channelId, content }]) => ({ id, topic, channelId, content }));
  expect(announced).toEqual(rows);
}

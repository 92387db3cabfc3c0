import type { SendMessageRequest, User } from '@parley/shared/proto';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, untilWaiting } from '@parley/shared/testing';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, type Replica, startMessages, toChannel } from '../../test/start-messages';
import { deleteExpiredSendKeysPeriodically } from '../send-keys/send-keys';

const DAY_MS = 24 * 60 * 60_000;
const clock = createFakeClock();
let network: MessagesUnderTest;
let other: Replica;
let ann: User;
let bob: User;
let lobby: PeerChannel;

beforeAll(async () => {
  network = await startMessages({ clock });
  other = await network.startReplica();
  [ann, bob] = [network.realm.addUser('Ann'), network.realm.addUser('Bob')];
  lobby = network.realm.addChannel('Lobby');
  network.realm.subscribe(lobby, ann, bob);
});

afterAll(() => network.stop());

const request = (localId: string, topic = 'once') => toChannel(lobby.id, topic, 'hi', { queueId: 'q', localId });

async function send(user: User, localId: string, { client }: Pick<Replica, 'client'> = network): Promise<number> {
  const { messageId } = await client.sendMessage(callerOf(user), request(localId));
  return messageId;
}

async function countRows(table: string, ids: number[], column = 'id'): Promise<number> {
  const [row] = await network.service.db.query<{ count: number }>(
    `select count(*) from ${table} where ${column} = any($1::bigint[])`,
    [ids],
  );
  return row?.count as number;
}

test('twenty sends at once with one key, at two replicas, are one message and one event', async () => {
  const before = await network.service.db.query<{ count: number }>(
    `select count(*) from outbox where kind = 'message.sent'`,
  );
  const attempts = Array.from({ length: 20 }, (_, index) => send(ann, 'twenty', index % 2 ? network : other));
  const ids = [...new Set(await Promise.all(attempts))];
  expect(ids.length).toBe(1);
  expect(await countRows('message', ids)).toBe(1);
  const after = await network.service.db.query<{ count: number }>(
    `select count(*) from outbox where kind = 'message.sent'`,
  );
  expect((after[0]?.count ?? 0) - (before[0]?.count ?? 0)).toBe(1);
});

test('a key is its sender’s own', async () => {
  expect(await send(ann, 'own')).not.toBe(await send(bob, 'own'));
});

test('an idempotency key works like a queue and local id', async () => {
  const keyed = { ...toChannel(lobby.id, 'once', 'hi'), idempotencyKey: 'k' };
  const first = await network.client.sendMessage(callerOf(ann), keyed);
  expect(await other.client.sendMessage(callerOf(ann), keyed)).toEqual(first);
});

test('the first answer’s policy for the topic is in every answer, also after a refusal and a change', async () => {
  const keyed = { ...toChannel(lobby.id, 'begun', 'hi'), idempotencyKey: 'begun' };
  const answers = await Promise.all(
    [network, other, network].map(({ client }) => client.sendMessage(callerOf(ann), keyed)),
  );
  const [first] = answers;
  expect(first).toEqual({ messageId: expect.any(Number), automaticNewVisibilityPolicy: 3 });
  expect(answers).toEqual([first, first, first]);
  const setting = { channelId: lobby.id, topic: 'begun', policy: 1 };
  await network.client.setTopicPolicy(callerOf(ann), setting);
  network.realm.unsubscribe(lobby, ann);
  lobby.isArchived = true;
  expect(await other.client.sendMessage(callerOf(ann), keyed)).toEqual(first);
  lobby.isArchived = false;
  network.realm.subscribe(lobby, ann);
});

test('without a key every send is a message', async () => {
  const plain = toChannel(lobby.id, 'once', 'hi');
  const first = await network.client.sendMessage(callerOf(ann), plain);
  expect(await network.client.sendMessage(callerOf(ann), plain)).not.toEqual(first);
});

test('the first answer outlives a restart', async () => {
  const short = await network.startReplica();
  const id = await send(ann, 'restart', short);
  await short.stop();
  const successor = await network.startReplica();
  expect(await send(ann, 'restart', successor)).toBe(id);
});

describe('a key that is used again for another message', () => {
  const reused = { code: 'IDEMPOTENCY_KEY_REUSED', httpStatus: 400 };
  const others: [string, (content: string) => SendMessageRequest][] = [
    ['with another content', (content) => toChannel(lobby.id, 'reuse', `not ${content}`)],
    ['to another topic', (content) => toChannel(lobby.id, 'elsewhere', content)],
    ['with something beside it', (content) => toChannel(lobby.id, 'reuse', content, { widgetContent: '{}' })],
    ['to somebody', (content) => ({ ...toChannel(lobby.id, 'reuse', content), ...toBob() })],
  ];
  const toBob = () => ({
    channelId: undefined as never,
    topic: undefined as never,
    recipientIds: [bob.id],
    isDirect: true,
  });
  const keys = (name: string): [string, Partial<SendMessageRequest>][] => [
    ['Idempotency-Key', { idempotencyKey: name }],
    ['queue_id with this local_id', { queueId: 'q', localId: name }],
  ];

  test.each(others)('%s is refused, and the first one is still answered', async (what, other) => {
    for (const [name, key] of keys(what)) {
      const first = { ...toChannel(lobby.id, 'reuse', 'first'), ...key };
      const answer = await network.client.sendMessage(callerOf(ann), first);
      await expect(network.client.sendMessage(callerOf(ann), { ...other('first'), ...key })).rejects.toMatchObject({
        ...reused,
        message: `This ${name} was used before, for another request.`,
      });
      expect(await network.client.sendMessage(callerOf(ann), first)).toMatchObject({ messageId: answer.messageId });
    }
  });

  test('at the same moment, is refused for all but one', async () => {
    const contents = Array.from({ length: 10 }, (_, index) => `at once ${index}`);
    const sends = contents.map((content, index) =>
      (index % 2 ? network : other).client.sendMessage(callerOf(ann), {
        ...toChannel(lobby.id, 'reuse', content),
        idempotencyKey: 'at once',
      }),
    );
    const outcomes = await Promise.allSettled(sends);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject(reused);
    }
    const rows = await network.service.db.query('select 1 from message where content = any($1)', [contents]);
    expect(rows).toHaveLength(1);
  });

  test('is refused even if neither message may be sent now', async () => {
    await send(ann, 'archived and reused');
    lobby.isArchived = true;
    const another = toChannel(lobby.id, 'once', 'ho', { queueId: 'q', localId: 'archived and reused' });
    await expect(network.client.sendMessage(callerOf(ann), another)).rejects.toMatchObject(reused);
    lobby.isArchived = false;
  });

  test('is not compared with a key stored by an earlier version', async () => {
    const id = await send(ann, 'earlier');
    await network.service.db.query('update send_key set digest = null where message_id = $1', [id]);
    const another = toChannel(lobby.id, 'once', 'ho', { queueId: 'q', localId: 'earlier' });
    expect(await network.client.sendMessage(callerOf(ann), another)).toEqual({ messageId: id });
  });
});

describe('a key whose first transaction has not ended', () => {
  /** Another replica's transaction that has stored `key` and stays open until the returned function is called. */
  async function holdKey(localId: string, messageId: number) {
    const session = await network.service.db.pool.connect();
    await session.query('begin');
    await session.query(
      `insert into send_key (realm_id, sender_id, key, message_id, created_at) values (1, $1, $2, $3, now())`,
      [ann.id, `queue:q:${localId}`, messageId],
    );
    return async (end: 'commit' | 'rollback') => {
      await session.query(end);
      session.release();
    };
  }

  test('is waited for, and its answer given', async () => {
    const end = await holdKey('held', 4_711);
    const answer = send(ann, 'held');
    await untilWaiting(network.service.db, answer);
    await end('commit');
    expect(await answer).toBe(4_711);
    expect(await countRows('message', [4_711])).toBe(0);
  });

  test('is taken over when that transaction fails', async () => {
    const end = await holdKey('failed', 4_712);
    const answer = send(ann, 'failed');
    await untilWaiting(network.service.db, answer);
    await end('rollback');
    const id = await answer;
    expect(id).not.toBe(4_712);
    expect(await countRows('message', [id])).toBe(1);
  });
});

test('a retry that would be refused by now gets the first answer; another send is refused', async () => {
  const id = await send(ann, 'archived');
  lobby.isArchived = true;
  expect(await send(ann, 'archived')).toBe(id);
  await expect(send(ann, 'archived since')).rejects.toThrow('Not authorized');
  lobby.isArchived = false;
});

test('keys are forgotten after a day, not before', async () => {
  const id = await send(ann, 'a day');
  const letPass = async (ms: number) => {
    const stop = deleteExpiredSendKeysPeriodically({ db: network.service.db, clock, log: silentLogger });
    clock.advance(ms);
    await stop();
  };
  await letPass(DAY_MS);
  expect(await send(ann, 'a day')).toBe(id);
  await letPass(DAY_MS / 100);
  expect(await countRows('send_key', [id], 'message_id')).toBe(0);
  expect(await send(ann, 'a day')).not.toBe(id);
});

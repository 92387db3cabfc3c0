import type { User } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { untilWaiting, untilWaitingOrEnded } from '@parley/shared/testing';
import { createEditWorld, type EditWorld } from '../../test/edit-world';
import { callerOf, toUsers } from '../../test/start-messages';
import { insertLinks } from '../uploads/link.sql';
import { purgeDeletedMessagesPeriodically } from './delete-messages';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
let world: EditWorld;

beforeAll(async () => {
  world = await createEditWorld();
});
beforeEach(() => {
  world.network.realm.realm.settings = '{}';
  world.network.realm.rights.denied.clear();
  world.network.realm.rights.grantedInChannels.clear();
});
afterAll(() => world.network.stop());

const remove = (who: User, messageId: number) => world.network.client.deleteMessage(callerOf(who), { messageId });
const count = async (table: string, condition: string) => {
  const [row] = await world.network.service.db.query<{ count: number }>(
    `select count(*) from ${table} where ${condition}`,
  );
  return row?.count;
};

describe('deleting a message', () => {
  test('leaves nothing of it but its copy in the archive, for thirty days', async () => {
    const { ann, bob, lobby, network } = world;
    const id = await world.send(ann, lobby, 'gone', 'Hi @**Bob**');
    await network.client.addReaction(callerOf(bob), { messageId: id, emojiName: 'smile' });
    await world.edit(ann, id, { content: 'Hello @**Bob**' });
    await world.events();
    await remove(ann, id);
    for (const table of ['reaction', 'mention', 'message_edit', 'attachment_link', 'personal_flag']) {
      expect(await count(table, `message_id = ${id}`)).toBe(0);
    }
    expect(await count('message', `id = ${id}`)).toBe(0);
    expect(await count('topic', `name = 'gone'`)).toBe(0);
    const [event] = await world.events();
    expect(event).toMatchObject({
      kind: 'messages.deleted',
      payload: { messageIds: [id], channel: { id: lobby.id, topic: 'gone' }, audience: { alsoIds: [ann.id] } },
    });
    await expect(remove(ann, id)).rejects.toMatchObject({ name: 'NothingToDoError', message: 'Invalid message(s)' });
    const left = async () =>
      (await network.client.findPurged(newCall(), { realmId: callerOf(ann).realmId, messageIds: [id] })).messageIds;
    expect(await left()).toEqual([]);
    const stop = purgeDeletedMessagesPeriodically({
      db: network.service.db,
      clock: world.clock,
      log: console as never,
    });
    world.clock.advance(30 * DAY_MS - MINUTE_MS);
    await stop();
    expect(await count('archived_message', `message_id = ${id}`)).toBe(1);
    const again = purgeDeletedMessagesPeriodically({
      db: network.service.db,
      clock: world.clock,
      log: console as never,
    });
    world.clock.advance(60 * MINUTE_MS);
    await again();
    expect(await count('archived_message', `message_id = ${id}`)).toBe(0);
    expect(await left()).toEqual([id]);
  });

  test('releases a file that an edit has just linked to', async () => {
    const { ann, lobby, network } = world;
    const { db } = network.service;
    const id = await world.send(ann, lobby, 'raced');
    let removing: Promise<unknown> | undefined;
    await db.transaction(async (tx) => {
      await tx.query('select from message where id = $1 for update', [id]);
      removing = remove(ann, id);
      await untilWaiting(db, removing);
      await insertLinks(tx, ann.realmId, id, [1]);
    });
    await removing;
    expect(await count('attachment_link', `message_id = ${id}`)).toBe(0);
  });

  test('of a direct conversation is announced to its participants', async () => {
    const { ann, bob, network } = world;
    const { messageId } = await network.client.sendMessage(callerOf(ann), toUsers([bob], 'psst'));
    await world.events();
    await remove(ann, messageId);
    const [event] = await world.events();
    expect(event?.payload).toEqual({ messageIds: [messageId], audience: { to: 'users', userIds: [ann.id, bob.id] } });
  });

  test('is for its sender, for ten minutes, and for administrators', async () => {
    const { ann, bob, ada, lobby } = world;
    const [first, second] = [await world.send(ann, lobby, 'rights'), await world.send(ann, lobby, 'rights')];
    await expect(remove(bob, first)).rejects.toThrow("You don't have permission to delete this message");
    world.clock.advance(10 * MINUTE_MS);
    await remove(ann, first);
    world.clock.advance(1);
    await expect(remove(ann, second)).rejects.toThrow('The time limit for deleting this message has passed');
    await remove(ada, second);
  });

  test("is for the owner of a bot that sent it, and for whom the channel's settings allow it", async () => {
    const { ann, bob, lobby, network } = world;
    const bot = network.realm.addUser('Robot', { isBot: true, botOwnerId: ann.id });
    network.realm.subscribe(lobby, bot);
    const [first, second] = [await world.send(bot, lobby, 'bot'), await world.send(bot, lobby, 'bot')];
    await remove(ann, first);
    network.realm.rights.denied.set(ann.id, ['can_delete_own_message_group']);
    await expect(remove(ann, second)).rejects.toThrow("You don't have permission to delete this message");
    network.realm.rights.grantedInChannels.set(ann.id, ['can_delete_own_message_group']);
    network.realm.rights.grantedInChannels.set(bob.id, ['can_delete_any_message_group']);
    await remove(bob, second);
  });

  test('of a channel’s first message announces its new first message', async () => {
    const { ann, network } = world;
    const channel = network.realm.addChannel('Fresh');
    network.realm.subscribe(channel, ann);
    const [first, second] = [await world.send(ann, channel, 'a'), await world.send(ann, channel, 'a')];
    await world.events();
    await remove(ann, first);
    await remove(ann, second);
    const beginnings = (await world.events()).filter(({ kind }) => kind === 'channel.beginning-changed');
    expect(beginnings.map(({ payload }) => payload.firstMessageId)).toEqual([second, null]);
  });

  test('with which a channel began, while another one begins a topic there, leaves the channel with that one', async () => {
    const { ann, network } = world;
    const { db } = network.service;
    const channel = network.realm.addChannel('Raced');
    network.realm.subscribe(channel, ann);
    const first = await world.send(ann, channel, 'a');
    await network.client.updateFlags(callerOf(ann), { messageIds: [first], op: 'add', flag: 'starred' });
    await world.events();
    const working: Promise<unknown>[] = [];
    await db.transaction(async (tx) => {
      // The deletion waits for the star, with the message already locked.
      await tx.query('select from personal_flag where message_id = $1 for update', [first]);
      working.push(remove(ann, first));
      await untilWaiting(db, working[0] as Promise<unknown>);
      working.push(world.send(ann, channel, 'b'));
      await untilWaitingOrEnded(db, working[1] as Promise<unknown>, 2);
    });
    const second = await working[1];
    await working[0];
    const beginnings = (await world.events()).filter(({ kind }) => kind === 'channel.beginning-changed');
    expect(beginnings.at(-1)?.payload.firstMessageId).toBe(second);
  });

  describe('while another one deletes the next message of the channel', () => {
    const takings: [string, (world: EditWorld, messageId: number) => Promise<unknown>][] = [
      ['by deleting it', (_world, messageId) => remove(world.ann, messageId)],
      ['by moving it', ({ ada, other }, messageId) => world.edit(ada, messageId, { channelId: other.id })],
    ];

    /**
     * Two concurrent deletions: `slow` waits for the message's star after it has locked and read the message; the other one ends
     * first.
     */
    async function bothAt(slow: { id: number; take(): Promise<unknown> }, fast: () => Promise<unknown>): Promise<void> {
      const { db } = world.network.service;
      const working: Promise<unknown>[] = [];
      await db.transaction(async (tx) => {
        await tx.query('select from personal_flag where message_id = $1 for update', [slow.id]);
        working.push(slow.take());
        await untilWaiting(db, working[0] as Promise<unknown>);
        working.push(fast());
        await untilWaitingOrEnded(db, working[1] as Promise<unknown>, 2);
      });
      await Promise.all(working);
    }

    async function threeMessages(): Promise<[number, number, number]> {
      const { ann, ada, network } = world;
      const channel = network.realm.addChannel(`Thinned ${Math.random()}`);
      network.realm.subscribe(channel, ann, ada);
      const ids: number[] = [];
      for (const topic of ['a', 'b', 'c']) ids.push(await world.send(ann, channel, topic));
      for (const id of ids) {
        await network.client.updateFlags(callerOf(ann), { messageIds: [id], op: 'add', flag: 'starred' });
      }
      await world.events();
      return ids as [number, number, number];
    }

    const lastBeginningOf = async (messageId: number) => {
      const [row] = await world.network.service.db.query<{ channelId: number }>(
        'select channel_id as "channelId" from message where id = $1',
        [messageId],
      );
      const announced = (await world.events()).filter(({ kind }) => kind === 'channel.beginning-changed');
      const ofChannel = announced.filter(({ payload }) => (payload.channel as { id: number }).id === row?.channelId);
      return ofChannel.at(-1)?.payload.firstMessageId;
    };

    test.each(takings)(
      '%s: whoever comes last tells what the channel begins with, the first one',
      async (_how, take) => {
        const [first, second, third] = await threeMessages();
        await bothAt({ id: first, take: () => remove(world.ann, first) }, () => take(world, second));
        expect(await lastBeginningOf(third)).toBe(third);
      },
    );

    test.each(takings)(
      '%s: whoever comes last tells what the channel begins with, the second one',
      async (_how, take) => {
        const [first, second, third] = await threeMessages();
        await bothAt({ id: second, take: () => remove(world.ann, second) }, () => take(world, first));
        expect(await lastBeginningOf(third)).toBe(third);
      },
    );
  });
});

describe('deleting a topic', () => {
  const deleteTopic = (who: User, topic: string) =>
    world.network.client.deleteTopic(callerOf(who), { channelId: world.lobby.id, topic });

  test('deletes all of it, a hundred messages at a time', async () => {
    const { ada, ann, lobby } = world;
    await Promise.all(Array.from({ length: 120 }, () => world.send(ann, lobby, 'large')));
    const other = await world.send(ann, lobby, 'small');
    await world.events();
    expect(await deleteTopic(ada, 'LARGE')).toEqual({ isComplete: true });
    const batches = (await world.events()).filter(({ kind }) => kind === 'messages.deleted');
    expect(batches.map(({ payload }) => (payload.messageIds as number[]).length)).toEqual([100, 20]);
    expect(await world.inTopic(ann, lobby, 'large')).toEqual([]);
    expect((await world.read(ann, other)).id).toBe(other);
    expect(await deleteTopic(ada, 'large')).toEqual({ isComplete: true });
  });

  test('ends before the time of the request does, and says that some are left', async () => {
    const { ada, ann, lobby, network } = world;
    await Promise.all(Array.from({ length: 120 }, () => world.send(ann, lobby, 'long')));
    const hurried = { ...callerOf(ada), deadlineAt: Date.now() + 4_000 };
    expect(await network.client.deleteTopic(hurried, { channelId: lobby.id, topic: 'long' })).toEqual({
      isComplete: false,
    });
    expect(await world.inTopic(ann, lobby, 'long')).toHaveLength(20);
    expect(await deleteTopic(ada, 'long')).toEqual({ isComplete: true });
    expect(await world.inTopic(ann, lobby, 'long')).toEqual([]);
  });

  test('is done when there is none of that name, nor could be', async () => {
    expect(await deleteTopic(world.ada, 'never')).toEqual({ isComplete: true });
    expect(await deleteTopic(world.ada, 'nev\0er')).toEqual({ isComplete: true });
  });

  test('is for administrators', async () => {
    await expect(deleteTopic(world.mod, 'any')).rejects.toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
  });
});

test('expired messages are deleted in batches: by the rule of the channel, or else of the organization', async () => {
  const { ann, bob, lobby, other, network } = world;
  const { client, realm } = network;
  const old = await world.send(ann, lobby, 'old');
  const { messageId: direct } = await client.sendMessage(callerOf(ann), toUsers([bob], 'old'));
  const kept = await world.send(ann, other, 'kept for ever');
  world.clock.advance(7 * DAY_MS + 1);
  const fresh = await world.send(ann, lobby, 'old');
  realm.rights.retentionDays = 7;
  other.messageRetentionDays = -1;
  await world.events();
  const again = () => client.deleteExpiredMessages(newCall(), { realmId: realm.realm.id });
  while (!(await again()).isComplete);
  expect(await again()).toEqual({ deleted: 0, isComplete: true });
  realm.rights.retentionDays = -1;
  const isLeft = async (id: number) => (await count('message', `id = ${id}`)) === 1;
  expect([await isLeft(old), await isLeft(direct), await isLeft(kept), await isLeft(fresh)]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  const announced = (await world.events()).filter(({ kind }) => kind === 'messages.deleted');
  expect(announced.flatMap(({ payload }) => payload.messageIds)).toEqual(expect.arrayContaining([old, direct]));
});

test('of many channels with expired messages the rules are asked for once, and each batch asks about its own channel', async () => {
  const { ann, network } = world;
  const { client, realm } = network;
  const channels = [1, 2, 3].map((n) => realm.addChannel(`Aged ${n}`, { isPrivate: n < 3, messageRetentionDays: 7 }));
  for (const channel of channels) {
    realm.subscribe(channel, ann);
    await world.send(ann, channel, 'old');
  }
  world.clock.advance(7 * DAY_MS + 1);
  realm.retentionCalls.length = 0;
  const answer = await client.deleteExpiredMessages(newCall(), { realmId: realm.realm.id });
  expect(answer).toEqual({ deleted: 3, isComplete: true });
  const rules = { method: 'listRetention', channels: realm.channels.length };
  const [kinds, outsiders] = ['listChannelKinds', 'listOutsideReaders'].map((method) => ({ method, channels: 1 }));
  expect(realm.retentionCalls).toEqual([rules, kinds, outsiders, kinds, outsiders, kinds]);
});

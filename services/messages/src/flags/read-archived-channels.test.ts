import { newCall } from '@parley/shared/rpc';
import { createEditWorld, type EditWorld } from '../../test/edit-world';
import type { Context } from '../context';
import { readArchivedChannels } from './follow-channels';

let world: EditWorld;
beforeAll(async () => {
  world = await createEditWorld();
});
afterAll(() => world.network.stop());

test('messages sent while a channel was being archived are read after it is restored; later ones are not', async () => {
  const { ann, bob, clock, network } = world;
  const { db } = network.service;
  const channel = network.realm.addChannel('Attic');
  network.realm.subscribe(channel, ann, bob);
  const subscribers = [ann, bob].map(({ id: userId }) => ({ userId, intervals: [{ fromVersion: 1 }] }));
  const realm = { getSubscribers: async () => ({ version: channel.subscriptionVersion, subscribers }) };
  const ctx = { db, services: { realm } } as unknown as Context;
  const become = (isArchived: boolean) => {
    const payload = { channel: { id: channel.id, isArchived }, atMs: clock.now() };
    return readArchivedChannels(ctx, [{ id: '1', realmId: ann.realmId, payload } as never]);
  };
  const isReadByBob = async (...messageIds: number[]) => {
    const questions = messageIds.map((messageId) => ({ realmId: bob.realmId, messageId, userId: bob.id }));
    const { flags } = await network.client.getPersonalFlags(newCall(), { questions });
    return flags.map(({ isRead }) => isRead);
  };
  const early = await world.send(ann, channel, 'x');
  await become(true);
  const late = await world.send(ann, channel, 'x');
  clock.advance(1_000);
  await world.events();
  const [, fresh] = [await become(false), await world.send(ann, channel, 'x')];
  expect(await isReadByBob(early, late, fresh)).toEqual([true, true, false]);
  const [announced] = await world.events();
  expect(announced).toMatchObject({ kind: 'flags.changed', payload: { op: 'add', flag: 'read', messageIds: [late] } });
  await become(false);
  expect((await world.events()).filter(({ kind }) => kind === 'flags.changed')).toEqual([]);
});

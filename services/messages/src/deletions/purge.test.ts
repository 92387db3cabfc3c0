import { newCall } from '@parley/shared/rpc';
import { unpurgedTables } from '@parley/shared/testing';
import { createEditWorld, type EditWorld } from '../../test/edit-world';
import { callerOf } from '../../test/start-messages';
import { TABLES } from './purge.sql';

let world: EditWorld;
beforeAll(async () => {
  world = await createEditWorld();
});
afterAll(() => world.network.stop());

const FILES = [{ table: 'attachment' }, { table: 'upload_space' }];

async function rowsOf(realmId: number): Promise<number> {
  const { db } = world.network.service;
  const counts = await Promise.all(
    [...TABLES, ...FILES].map(({ table }) =>
      db.query<{ count: number }>(`select count(*) as count from ${table} where realm_id = $1`, [realmId]),
    ),
  );
  return counts.reduce((sum, [row]) => sum + (row?.count ?? 0), 0);
}

async function upload(name: string): Promise<string> {
  const { ann, network } = world;
  const pathId = `1/ab/${name.padStart(24, 'x')}/a.txt`;
  const file = { pathId, name: 'a.txt', contentType: 'text/plain' };
  await network.client.beginUpload(callerOf(ann), { ...file, size: 3 });
  await network.client.completeUpload(callerOf(ann), { pathId, size: 3, image: null });
  return pathId;
}

test('a purge leaves no rows of the organization once the bytes of its files are deleted, and announces nothing', async () => {
  const { ann, bob, lobby, network, clock } = world;
  const { client } = network;
  const realmId = ann.realmId;
  const id = await world.send(ann, lobby, 'old', `Hi @**Bob**, see [it](/user_uploads/${await upload('linked')})`);
  await upload('unlinked');
  await client.addReaction(callerOf(bob), { messageId: id, emojiName: 'smile' });
  await world.edit(ann, id, { content: 'Hello' });
  await client.deleteMessage(callerOf(ann), { messageId: await world.send(ann, lobby, 'gone') });
  await world.events();

  const step = () => client.purgeRealm(newCall(), { realmId });
  expect((await step()).deleted).toBeGreaterThan(5);
  expect(await step()).toEqual({ deleted: 2, isComplete: false });
  expect(await step()).toEqual({ deleted: 0, isComplete: false });
  clock.advance(1);
  const { places } = await client.expireUploads(newCall(), {});
  expect(places).toHaveLength(2);
  expect(await step()).toEqual({ deleted: 0, isComplete: false });
  await client.forgetUploads(newCall(), { places });
  expect(await step()).toEqual({ deleted: 0, isComplete: true });
  expect(await rowsOf(realmId)).toBe(0);
  expect((await world.events()).filter(({ kind }) => kind.startsWith('message'))).toEqual([]);
});

test('no table is forgotten', async () => {
  expect(await unpurgedTables(world.network.service.db, [...TABLES, ...FILES])).toEqual([]);
});

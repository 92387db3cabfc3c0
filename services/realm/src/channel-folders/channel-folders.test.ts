import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { channelIds, newOrganization, newUser } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { createChannelFolder, listChannelFolders, reorderChannelFolders, updateChannelFolder } from './channel-folders';
import { holdOpenChannelFolder } from './channel-folders.sql';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const create = async (name: string, description = '') =>
  (await createChannelFolder(ctx, olivia, { name, description })).id;
const folders = async (includesArchived = true) =>
  (await listChannelFolders(ctx, olivia, { includesArchived })).folders;
const events = async () => (await publicEvents(ctx, olivia, 'channel_folder')).map(({ event }) => event);

test('a new folder comes last, and is announced to everybody', async () => {
  await create('First');
  const id = await create('  Second ', 'What & why');
  const folder = {
    id,
    name: 'Second',
    description: 'What & why',
    renderedDescription: '<p>What &amp; why</p>',
    order: 1,
    creatorId: olivia.userId,
    isArchived: false,
    createdAtMs: ctx.clock.now(),
  };
  expect((await folders()).at(-1)).toEqual(folder);
  expect((await publicEvents(ctx, olivia, 'channel_folder')).at(-1)).toEqual({
    audience: { to: 'realm' },
    event: {
      type: 'channel_folder',
      op: 'add',
      channel_folder: {
        id,
        name: 'Second',
        description: 'What & why',
        rendered_description: '<p>What &amp; why</p>',
        order: 1,
        creator_id: olivia.userId,
        is_archived: false,
        date_created: Math.floor(ctx.clock.now() / 1000),
      },
    },
  });
});

test.each([
  [' ', '', "Channel folder name can't be empty."],
  ['x'.repeat(61), '', 'name is too long (limit: 60 characters)'],
  ['a\u0007b', '', 'Invalid character in channel folder name, at position 2.'],
  ['FRONTEND', '', 'Channel folder name already in use'],
  ['new', 'x'.repeat(1025), 'description is too long (limit: 1024 characters)'],
  ['new', 'a\0', 'Invalid character in description, at position 2.'],
])('the name %j with the description %j is refused', async (name, description, message) => {
  await create('Frontend');
  await expect(create(name, description)).rejects.toThrow(message);
});

test('omitted values are unchanged; only changes are announced', async () => {
  const id = await create('Folder', 'about');
  await updateChannelFolder(ctx, olivia, { id, name: 'folder' });
  await updateChannelFolder(ctx, olivia, { id, name: 'folder', description: 'more\nlines' });
  await updateChannelFolder(ctx, olivia, { id, name: ' folder', description: 'more\nlines', isArchived: false });
  await updateChannelFolder(ctx, olivia, { id });
  await updateChannelFolder(ctx, olivia, { id, isArchived: true, description: '' });
  const update = { type: 'channel_folder', op: 'update', channel_folder_id: id };
  expect((await events()).slice(1)).toEqual([
    { ...update, data: { name: 'folder' } },
    { ...update, data: { description: 'more\nlines', rendered_description: '<p>more<br>\nlines</p>' } },
    { ...update, data: { is_archived: true, description: '', rendered_description: '' } },
  ]);
  expect(await folders()).toMatchObject([
    { name: 'folder', description: '', renderedDescription: '', isArchived: true },
  ]);
});

test('a folder in use cannot be archived; an archived one takes no channels and keeps its name', async () => {
  const [id, empty] = [await create('Used'), await create('Empty')];
  const { general } = await channelIds(ctx, olivia);
  await ctx.db.query('update channel set folder_id = $2 where id = $1', [general, id]);
  await expect(updateChannelFolder(ctx, olivia, { id, isArchived: true })).rejects.toThrow(
    'You need to remove all the channels from this folder to archive it.',
  );
  await updateChannelFolder(ctx, olivia, { id: empty, isArchived: true });
  const isOpen = (folderId: number) => ctx.db.transaction((tx) => holdOpenChannelFolder(tx, olivia.realmId, folderId));
  expect([await isOpen(id), await isOpen(empty), await isOpen(0)]).toEqual([true, false, false]);
  expect((await folders(false)).map(({ name }) => name)).toEqual(['Used']);
  await expect(create('empty')).rejects.toThrow('already in use');
  await updateChannelFolder(ctx, olivia, { id: empty, isArchived: false });
  expect(await isOpen(empty)).toBe(true);
});

test('an order names every folder once, archived ones included', async () => {
  const [a, b, c] = [await create('A'), await create('B'), await create('C')];
  await updateChannelFolder(ctx, olivia, { id: b, isArchived: true });
  for (const orderedIds of [[a, c], [a, b, c, c], [a, b, b], [a, b, c, 0], []]) {
    await expect(reorderChannelFolders(ctx, olivia, { orderedIds })).rejects.toThrow('Invalid order mapping.');
  }
  await reorderChannelFolders(ctx, olivia, { orderedIds: [a, b, c] });
  await reorderChannelFolders(ctx, olivia, { orderedIds: [c, b, a] });
  expect((await folders()).map(({ id, order }) => [id, order])).toEqual([
    [c, 0],
    [b, 1],
    [a, 2],
  ]);
  const reorders = (await events()).filter(({ op }) => op === 'reorder');
  expect(reorders).toEqual([{ type: 'channel_folder', op: 'reorder', order: [c, b, a] }]);
});

test('only administrators make and change folders; folders of others do not exist', async () => {
  const [moderator, guest] = [await newUser(ctx, olivia, { role: 300 }), await newUser(ctx, olivia, { role: 600 })];
  const id = await create('Folder');
  const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization administrator' };
  await expect(createChannelFolder(ctx, moderator, { name: '', description: '' })).rejects.toMatchObject(refusal);
  await expect(updateChannelFolder(ctx, moderator, { id: 0 })).rejects.toMatchObject(refusal);
  await expect(reorderChannelFolders(ctx, moderator, { orderedIds: [] })).rejects.toMatchObject(refusal);
  expect((await listChannelFolders(ctx, guest, { includesArchived: false })).folders).toHaveLength(1);
  const stranger = await newOrganization(ctx);
  await expect(updateChannelFolder(ctx, stranger, { id, name: 'x' })).rejects.toThrow('Invalid channel folder ID');
});

import type { Caller } from '@parley/shared/rpc';
import sharp from 'sharp';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { addCustomEmoji, deactivateCustomEmoji, getCustomEmojiImage, listCustomEmoji } from './custom-emoji';

let ctx: TestContext;
let olivia: Person;
let iago: Person;
let picture: Buffer;
let animation: Buffer;

beforeAll(async () => {
  ctx = await openContext();
  picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  const frames = Buffer.concat([Buffer.alloc(4 * 4 * 3, 10), Buffer.alloc(4 * 4 * 3, 200)]);
  animation = await sharp(frames, { raw: { width: 4, height: 8, channels: 3, pageHeight: 4 } })
    .gif()
    .toBuffer();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  iago = await newUser(ctx, olivia);
});
afterAll(() => ctx.close());

const add = (caller: Caller, name: string, ...files: Buffer[]) => addCustomEmoji(ctx, caller, { name, files });
const deactivate = (caller: Caller, name: string) => deactivateCustomEmoji(ctx, caller, { name });
const imageOf = ({ realmId }: Caller, fileName: string) => getCustomEmojiImage(ctx, { realmId, fileName });

test('an emoji is there for everybody, in the list and as an image', async () => {
  const { id } = await add(iago, 'green tick', picture);
  const guest = await newUser(ctx, olivia, { role: 600 });
  const { emoji } = await listCustomEmoji(ctx, guest);
  const fileName = emoji[0]?.fileName as string;
  const about = { id, realmId: olivia.realmId, name: 'green_tick', authorId: iago.userId, isDeactivated: false };
  expect(emoji).toEqual([{ ...about, fileName }]);
  const { contentType, bytes } = await imageOf(olivia, fileName);
  expect(contentType).toBe('image/png');
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 64, height: 64 });
});

test('an animation has a still beside it', async () => {
  await add(iago, 'dance', animation);
  const [emoji] = (await listCustomEmoji(ctx, iago)).emoji;
  const images = [await imageOf(iago, emoji?.fileName as string), await imageOf(iago, emoji?.stillFileName as string)];
  expect(images.map(({ contentType }) => contentType)).toEqual(['image/gif', 'image/png']);
});

test('a name that was given up makes a new emoji; old ones stay listed, with their images', async () => {
  const { id: first } = await add(iago, 'our_logo', picture);
  await deactivate(iago, 'our_logo');
  const { id: second } = await add(olivia, 'our_logo', picture);
  const { emoji } = await listCustomEmoji(ctx, iago);
  expect(emoji.map(({ id, isDeactivated }) => [id, isDeactivated])).toEqual([
    [first, true],
    [second, false],
  ]);
  for (const { fileName } of emoji) expect((await imageOf(iago, fileName)).bytes.length).toBeGreaterThan(0);
});

test('every change announces the whole map to everybody', async () => {
  const { id } = await add(iago, 'dance', animation);
  await deactivate(olivia, 'dance');
  const [emoji] = (await listCustomEmoji(ctx, iago)).emoji;
  const path = `/user_avatars/${olivia.realmId}/emoji/images`;
  const shown = {
    id: String(id),
    name: 'dance',
    source_url: `${path}/${emoji?.fileName}`,
    still_url: `${path}/${emoji?.stillFileName}`,
    author_id: iago.userId,
  };
  expect(await publicEvents(ctx, olivia, 'realm_emoji')).toEqual(
    [false, true].map((deactivated) => ({
      audience: { to: 'realm' },
      event: { type: 'realm_emoji', op: 'update', realm_emoji: { [String(id)]: { ...shown, deactivated } } },
    })),
  );
});

test('the first thing that is wrong is refused, nothing is stored', async () => {
  await add(olivia, 'taken', picture);
  const guest = await newUser(ctx, olivia, { role: 600 });
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: iago.email });
  const huge = Buffer.alloc(5 * 1024 * 1024 + 1);
  await expect(add(guest, '')).rejects.toThrow('Not allowed for guest users');
  await expect(add(bot, '')).rejects.toThrow('This endpoint does not accept bot requests.');
  await expect(add(iago, 'Taken')).rejects.toThrow('Emoji names must contain only lowercase');
  await expect(add(iago, 'taken')).rejects.toThrow('A custom emoji with this name already exists.');
  await expect(add(iago, 'smile')).rejects.toThrow('You must upload exactly one file.');
  await expect(add(iago, 'smile', picture, picture)).rejects.toThrow('You must upload exactly one file.');
  await expect(add(iago, 'smile', huge)).rejects.toThrow('Only administrators can override default emoji.');
  await expect(add(iago, 'our_new', huge)).rejects.toThrow('Uploaded file is larger than the allowed limit of 5 MiB');
  await expect(add(iago, 'our_new', Buffer.from('x'))).rejects.toMatchObject({ code: 'BAD_IMAGE' });
  expect((await listCustomEmoji(ctx, iago)).emoji).toHaveLength(1);
  await add(olivia, 'smile', picture);
});

test('the organization decides who may add emoji', async () => {
  await ctx.db.query(
    `insert into realm_group_setting (realm_id, name, group_id)
     select realm_id, 'can_add_custom_emoji_group', id from user_group where realm_id = $1 and name = 'role:nobody'`,
    [olivia.realmId],
  );
  await expect(add(olivia, '-', picture)).rejects.toThrow('Emoji names must end with either a letter or digit.');
  await expect(add(olivia, 'our_logo')).rejects.toThrow('Insufficient permission');
});

test('of two concurrent additions with one name, one is refused', async () => {
  const outcomes = await Promise.allSettled([add(iago, 'our_logo', picture), add(olivia, 'our_logo', picture)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const refused = outcomes.find((outcome) => outcome.status === 'rejected') as PromiseRejectedResult;
  expect(refused.reason).toMatchObject({ message: 'A custom emoji with this name already exists.' });
});

test('authors and administrators deactivate; unknown emoji are not found', async () => {
  const zoe = await newUser(ctx, olivia);
  await add(iago, 'our_logo', picture);
  const notFound = { code: 'BAD_REQUEST', httpStatus: 404 };
  await expect(deactivate(zoe, 'our_logo')).rejects.toThrow('Must be an organization administrator or emoji author');
  await expect(deactivate(zoe, 'nope')).rejects.toMatchObject({ ...notFound, message: "Emoji 'nope' does not exist" });
  await deactivate(iago, 'our_logo');
  await expect(deactivate(olivia, 'our_logo')).rejects.toMatchObject(notFound);
  await expect(deactivate(await newOrganization(ctx), 'our_logo')).rejects.toMatchObject(notFound);
});

test('an image is served under its own name, in its own organization', async () => {
  await add(iago, 'our_logo', picture);
  const fileName = (await listCustomEmoji(ctx, iago)).emoji[0]?.fileName as string;
  const none = { contentType: '', bytes: Buffer.alloc(0) };
  expect(await imageOf(await newOrganization(ctx), fileName)).toEqual(none);
  expect(await imageOf(olivia, 'x.png')).toEqual(none);
  expect(await imageOf(olivia, '\0')).toEqual(none);
  expect(await imageOf({ ...olivia, realmId: 2 ** 63 }, fileName)).toEqual(none);
});

import sharp from 'sharp';
import { newOrganization, newUser, openContext, type Person, type TestContext } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getOwnUser } from '../accounts/get-own-user';
import { storeRealmSettings } from '../organization/realms.sql';
import { getAvatarImage, removeAvatar, setAvatar } from './avatars';
import { requireMayChangeAvatar } from './permissions';

let ctx: TestContext;
let olivia: Person;
let picture: Buffer;

beforeAll(async () => {
  ctx = await openContext();
  picture = await sharp({ create: { width: 700, height: 300, channels: 3, background: 'red' } })
    .jpeg()
    .toBuffer();
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
});
afterAll(() => ctx.close());

const set = (person: Person, ...files: Buffer[]) => setAvatar(ctx, person, { files });
const imageOf = async (fileName: string | undefined, isMedium = false) =>
  (await getAvatarImage(ctx, { realmId: olivia.realmId, fileName: fileName as string, isMedium })).bytes as Buffer;

test.each([100, 200, 300, 400, 600])('role %i, where pictures stay as they are', (role) => {
  const change = (isDisabled: boolean) => () =>
    requireMayChangeAvatar({ role }, { avatar_changes_disabled: isDisabled });
  expect(change(false)).not.toThrow();
  if (role <= 200) expect(change(true)).not.toThrow();
  else expect(change(true)).toThrow('Avatar changes are disabled in this organization.');
});

test('a picture is stored in two square sizes under an unguessable name', async () => {
  const user = await set(olivia, picture);
  expect(user).toMatchObject({
    avatarSource: 'U',
    avatarVersion: 2,
    avatarFileName: expect.stringMatching(/^\w{32}$/),
  });
  expect(await getOwnUser(ctx, olivia)).toEqual(user);
  for (const [isMedium, size] of [
    [false, 100],
    [true, 500],
  ] as const) {
    const { width, height, format } = await sharp(await imageOf(user.avatarFileName, isMedium)).metadata();
    expect([width, height, format]).toEqual([size, size, 'png']);
  }
});

test('the next picture takes the place of the last one, and none that of any', async () => {
  const first = await set(olivia, picture);
  const second = await set(olivia, picture);
  expect(second.avatarVersion).toBe(3);
  expect(await imageOf(first.avatarFileName)).toHaveLength(0);
  const none = await removeAvatar(ctx, olivia);
  expect(none).toMatchObject({ avatarSource: 'G', avatarVersion: 4 });
  expect(none).not.toHaveProperty('avatarFileName');
  expect(await getOwnUser(ctx, olivia)).toEqual(none);
  expect(await imageOf(second.avatarFileName)).toHaveLength(0);
});

test('changes are announced to everybody and to managers of bots; nothing is announced without a change', async () => {
  const bot = await newUser(ctx, olivia, { botType: 1, botOwnerEmail: olivia.email });
  const { avatarFileName } = await set(bot, picture);
  const url = `/user_avatars/${olivia.realmId}/${avatarFileName}.png?version=2`;
  const medium = url.replace('.png', '-medium.png');
  const updates = async (type: string) =>
    (await publicEvents(ctx, olivia, type)).filter(({ event }) => event.op === 'update');
  expect(await updates('realm_user')).toEqual([
    {
      audience: { to: 'realm' },
      event: {
        type: 'realm_user',
        op: 'update',
        person: {
          user_id: bot.userId,
          avatar_url: url,
          avatar_url_medium: medium,
          avatar_source: 'U',
          avatar_version: 2,
        },
      },
    },
  ]);
  expect(await updates('realm_bot')).toMatchObject([
    { audience: { to: 'users', userIds: [olivia.userId] }, event: { bot: { user_id: bot.userId, avatar_url: url } } },
  ]);
  await removeAvatar(ctx, olivia);
  expect(await updates('realm_user')).toHaveLength(1);
});

test('other files are refused; first of all, there must be exactly one', async () => {
  await storeRealmSettings(ctx.db, olivia.realmId, { avatar_changes_disabled: true });
  const dan = await newUser(ctx, olivia);
  await expect(set(dan)).rejects.toThrow('You must upload exactly one avatar.');
  await expect(set(dan, picture, picture)).rejects.toThrow('You must upload exactly one avatar.');
  await expect(set(dan, picture)).rejects.toThrow('Avatar changes are disabled in this organization.');
  await expect(removeAvatar(ctx, dan)).rejects.toThrow('Avatar changes are disabled in this organization.');
  await expect(set(olivia, Buffer.alloc(5 * 1024 * 1024 + 1))).rejects.toThrow(
    'Uploaded file is larger than the allowed limit of 5 MiB',
  );
  await expect(set(olivia, Buffer.from('<svg/>'))).rejects.toMatchObject({
    code: 'BAD_IMAGE',
    message: 'Invalid image format',
  });
  const broken = Buffer.concat([picture.subarray(0, picture.length / 2), Buffer.alloc(50)]);
  await expect(set(olivia, broken)).rejects.toMatchObject({ code: 'BAD_IMAGE' });
  expect((await getOwnUser(ctx, olivia)).avatarSource).toBe('G');
});

test('pictures of another organization, and unknown ones, are not found', async () => {
  const { avatarFileName } = await set(olivia, picture);
  const { realmId } = await newOrganization(ctx);
  const file = (over: object) =>
    getAvatarImage(ctx, { realmId: olivia.realmId, fileName: avatarFileName as string, isMedium: false, ...over });
  for (const over of [{ realmId }, { realmId: -1 }, { fileName: 'none' }, { fileName: 'nul\0' }]) {
    expect((await file(over)).bytes).toHaveLength(0);
  }
  expect((await file({})).bytes.length).toBeGreaterThan(0);
});

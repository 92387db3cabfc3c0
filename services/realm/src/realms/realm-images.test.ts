import sharp from 'sharp';
import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newUser } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { getRealm } from '../organization/change-organization';
import { getOrganizationImage, removeOrganizationImage, setOrganizationImage } from './realm-images';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);

const picture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: 'red' } })
    .png()
    .toBuffer();

const shown = async (kind: string) => {
  const { contentType, bytes } = await getOrganizationImage(ctx, { realmId: olivia.realmId, kind });
  if (bytes.length === 0) return null;
  const { width, height, format } = await sharp(bytes).metadata();
  return { contentType, width, height, format };
};

const png = { contentType: 'image/png', format: 'png' };

test('an icon becomes a square, a logo stays whole, and small ones small', async () => {
  await setOrganizationImage(ctx, olivia, { kind: 'icon', files: [await picture(300, 200)] });
  await setOrganizationImage(ctx, olivia, { kind: 'logo', files: [await picture(1600, 400)] });
  await setOrganizationImage(ctx, olivia, { kind: 'night_logo', files: [await picture(60, 30)] });
  expect(await shown('icon')).toEqual({ ...png, width: 100, height: 100 });
  expect(await shown('logo')).toEqual({ ...png, width: 400, height: 100 });
  expect(await shown('night_logo')).toEqual({ ...png, width: 60, height: 30 });
});

test('each upload changes the address, which is announced to everybody', async () => {
  const administrator = await newUser(ctx, olivia, { role: 200 });
  const [first, second] = [ctx.clock.now() + 1, ctx.clock.now() + 3];
  ctx.clock.advance(1);
  await setOrganizationImage(ctx, administrator, { kind: 'icon', files: [await picture(9, 9)] });
  ctx.clock.advance(2);
  const answer = await setOrganizationImage(ctx, administrator, { kind: 'icon', files: [await picture(9, 9)] });
  expect(answer).toEqual({ images: [{ kind: 'icon', version: second }] });
  expect(await getRealm(ctx, olivia)).toMatchObject(answer);
  expect(await removeOrganizationImage(ctx, administrator, { kind: 'icon' })).toEqual({ images: [] });
  await removeOrganizationImage(ctx, administrator, { kind: 'icon' });

  const url = `/user_avatars/${olivia.realmId}/realm/icon.png?version=`;
  const event = { type: 'realm', op: 'update_dict', property: 'icon' };
  const events = await publicEvents(ctx, olivia, 'realm');
  expect(events.map((one) => one.event)).toEqual([
    { ...event, data: { icon_url: url + first, icon_source: 'U' } },
    { ...event, data: { icon_url: url + second, icon_source: 'U' } },
    { ...event, data: { icon_url: expect.stringContaining('/static/pictures/'), icon_source: 'G' } },
  ]);
  expect(await shown('icon')).toBeNull();
});

test('each theme has its own logo', async () => {
  await setOrganizationImage(ctx, olivia, { kind: 'night_logo', files: [await picture(9, 9)] });
  expect(await shown('logo')).toBeNull();
  const [event] = await publicEvents(ctx, olivia, 'realm');
  const night_logo_url = expect.stringContaining('/realm/night_logo.png?version=');
  expect(event?.event).toMatchObject({ property: 'night_logo', data: { night_logo_url, night_logo_source: 'U' } });
});

test('one picture is wanted, and not a large one', async () => {
  const upload = (kind: string, ...files: Buffer[]) => setOrganizationImage(ctx, olivia, { kind, files });
  const good = await picture(9, 9);
  await expect(upload('icon')).rejects.toThrow('You must upload exactly one icon.');
  await expect(upload('night_logo', good, good)).rejects.toThrow('You must upload exactly one logo.');
  await expect(upload('icon', Buffer.alloc(5 * 1024 * 1024 + 1))).rejects.toThrow(
    'Uploaded file is larger than the allowed limit of 5 MiB',
  );
  await expect(upload('icon', Buffer.from('<svg/>'))).rejects.toMatchObject({ code: 'BAD_IMAGE' });
  await expect(upload('icon', good.subarray(0, -20))).rejects.toMatchObject({ code: 'BAD_IMAGE' });
  await expect(upload('cat', good)).rejects.toThrow('Invalid kind of image');
});

test('only administrators may', async () => {
  const moderator = await newUser(ctx, olivia, { role: 300 });
  const refusal = { code: 'UNAUTHORIZED_PRINCIPAL', message: 'Must be an organization administrator' };
  await expect(setOrganizationImage(ctx, moderator, { kind: 'icon', files: [] })).rejects.toMatchObject(refusal);
  await expect(removeOrganizationImage(ctx, moderator, { kind: 'icon' })).rejects.toMatchObject(refusal);
});

test.each([[{ realmId: -1, kind: 'icon' }], [{ realmId: 999_999_999, kind: 'icon' }], [{ realmId: 1, kind: 'a\0' }]])(
  '%j finds no picture',
  async (request) => {
    expect((await getOrganizationImage(ctx, request)).bytes).toHaveLength(0);
  },
);

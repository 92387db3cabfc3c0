import type { User } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { callerOf, type MessagesUnderTest, startMessages } from '../../test/start-messages';

const MIB = 1024 * 1024;
const FULL = { code: 'REALM_UPLOAD_QUOTA' };

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let realmId: number;

beforeAll(async () => {
  network = await startMessages();
  [ann, bob] = [network.realm.addUser('Ann'), network.realm.addUser('Bob')];
  realmId = ann.realmId;
});
afterAll(() => network.stop());

let counter = 0;

async function begin(user: User, size: number): Promise<string> {
  counter += 1;
  const pathId = `${realmId}/ab/${String(counter).padStart(24, 'q')}/a.txt`;
  await network.client.beginUpload(callerOf(user), { pathId, name: 'a.txt', contentType: 'text/plain', size });
  return pathId;
}

async function upload(user: User, size: number): Promise<void> {
  const pathId = await begin(user, 0);
  await network.client.completeUpload(callerOf(user), { pathId, size, image: null });
}

const set = (own: { mib?: number } | undefined, user?: User) =>
  network.client.setUploadQuota(newCall(), { realmId, ...(user && { userId: user.id }), ...(own && { own }) });
const get = (user?: User) => network.client.getUploadQuota(newCall(), { realmId, ...(user && { userId: user.id }) });
const announcedQuota = async () =>
  (await network.client.getClientState(callerOf(ann), { includesUploadQuota: true })).uploadQuota;

/** The acts in the audit log. */
async function acts() {
  const rows = await network.service.db.query<{ payload: string }>(
    `select payload from outbox where kind = 'act.performed' order by id`,
  );
  return rows.map(({ payload }) => JSON.parse(payload));
}

test('an account’s own quota applies at the start and end of uploads, until it is removed', async () => {
  expect(await get(ann)).toEqual({ usedBytes: 0, allowance: { mib: 5 * 1024 }, isOwn: false });
  expect(await set({ mib: 1 }, ann)).toEqual({ usedBytes: 0, allowance: { mib: 1 }, isOwn: true });
  await upload(ann, MIB);
  expect(await get(ann)).toEqual({ usedBytes: MIB, allowance: { mib: 1 }, isOwn: true });
  await expect(begin(ann, 1)).rejects.toMatchObject({
    ...{ ...FULL, message: 'Upload would exceed your own upload quota of 1 MiB.' },
  });
  await expect(upload(ann, 1)).rejects.toMatchObject(FULL);
  await upload(bob, 1);
  await set({}, ann);
  expect(await get(ann)).toMatchObject({ allowance: {}, isOwn: true });
  await upload(ann, 1);
  expect(await set(undefined, ann)).toMatchObject({ allowance: { mib: 5 * 1024 }, isOwn: false });
});

test('so does an organization’s, which is announced to clients', async () => {
  expect(await announcedQuota()).toEqual({});
  const { usedBytes } = await set({ mib: 2 });
  expect(await get()).toEqual({ usedBytes, allowance: { mib: 2 }, isOwn: true });
  expect(await announcedQuota()).toEqual({ mib: 2 });
  await upload(bob, 2 * MIB - usedBytes);
  await expect(begin(bob, 1)).rejects.toMatchObject(FULL);
  await expect(upload(bob, 1)).rejects.toMatchObject(FULL);
  await set(undefined);
  await upload(bob, 1);
});

test('a changed quota is recorded as an act of the operator; an unchanged one is not', async () => {
  const before = (await acts()).length;
  await set({ mib: 7 });
  await set({ mib: 7 });
  await set({}, bob);
  expect((await acts()).slice(before)).toMatchObject([
    {
      ...{ name: 'set-upload-quota', actor: { kind: 'operator' }, kind: 'organization', ids: [realmId] },
      ...{ before: { upload_quota_mib: 'default' }, after: { upload_quota_mib: 7 } },
    },
    { kind: 'user', ids: [bob.id], after: { upload_quota_mib: 'none' } },
  ]);
});

test.each([-1, 1_000_000_000])('%d MiB is no quota', async (mib) => {
  await expect(set({ mib })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('that of an account goes when the person is erased, the organization’s stays', async () => {
  await set({ mib: 7 });
  await set({ mib: 3 }, bob);
  await network.client.erasePerson(newCall(), { realmId, userId: bob.id, deletesMessages: false });
  expect(await get(bob)).toMatchObject({ isOwn: false });
  expect(await get()).toMatchObject({ isOwn: true });
});

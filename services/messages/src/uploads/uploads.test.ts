import { RealmUploadQuotaError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { createFakeClock, observed, rowsReadIn, untilWaiting } from '@parley/shared/testing';
import { editRequest } from '../../test/edit-world';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages, toChannel, toUsers } from '../../test/start-messages';
import { claimUploads, releaseUploads, replaceUploads } from '../content/claim-uploads';
import { TAKE_PENDING } from '../content/thumbnails.sql';
import { LIST_BY_PATH } from './attachment.sql';
import { LIST_PLACES, MARK_EXPIRED } from './link.sql';
import { checkQuota } from './upload-quota';

const DAY_MS = 24 * 60 * 60_000;
const PICTURE = { contentType: 'image/png', width: 800, height: 600, frames: 1 };

const clock = createFakeClock();
let network: MessagesUnderTest;
let ann: User;
let bob: User;
let eve: User;
let lobby: PeerChannel;
let cellar: PeerChannel;

beforeAll(async () => {
  network = await startMessages({ clock });
  const { realm } = network;
  [ann, bob, eve] = [realm.addUser('Ann'), realm.addUser('Bob'), realm.addUser('Eve')];
  lobby = realm.addChannel('Lobby');
  cellar = realm.addChannel('Cellar', { isPrivate: true, isHistoryPublic: false });
  realm.subscribe(lobby, ann);
  realm.subscribe(cellar, ann);
});

afterAll(() => network.stop());

let counter = 0;

function newPath(name = 'a.png'): string {
  counter += 1;
  return `1/ab/${String(counter).padStart(24, 's')}/${name}`;
}

const begin = (user: User, pathId: string, size = 0) =>
  network.client.beginUpload(callerOf(user), { pathId, name: 'a.png', contentType: 'image/png', size });

/** Stores a file of the user; returns its path. */
async function upload(user: User, { size = 10, image = null as typeof PICTURE | null } = {}): Promise<string> {
  const pathId = newPath();
  await begin(user, pathId);
  await network.client.completeUpload(callerOf(user), { pathId, size, image });
  return pathId;
}

const linking = { realmId: 1, audience: { to: 'users', userIds: [] } as const };

const get = (user: User, pathId: string) => network.client.getUpload(callerOf(user), { pathId });
const linkTo = (pathId: string) => `see [it](/user_uploads/${pathId})`;

async function send(user: User, content: string, to: PeerChannel | User[] = lobby): Promise<number> {
  const request = Array.isArray(to) ? toUsers(to, content) : toChannel(to.id, 'x', content);
  return (await network.client.sendMessage(callerOf(user), request)).messageId;
}

async function attachmentOf(user: User, pathId: string) {
  const { attachments } = await network.client.listAttachments(callerOf(user), {});
  return attachments.find((attachment) => attachment.pathId === pathId);
}

const query = <Row>(text: string, values: unknown[] = []) => network.service.db.query<Row>(text, values);

/** The events announced during the work, by kind. */
async function announcedBy<Result>(work: () => Promise<Result>) {
  const [last] = await query<{ id: number }>('select coalesce(max(id), 0) as id from outbox');
  const result = await work();
  const events = await query<{ kind: string; payload: string }>(
    'select kind, payload from outbox where id > $1 order by id',
    [last?.id],
  );
  return { result, events: events.map(({ kind, payload }) => ({ kind, payload: JSON.parse(payload) })) };
}

const renderedOf = async (messageId: number) =>
  (await network.client.getMessage(callerOf(ann), { messageId })).renderedContent;

describe('a file that is being uploaded', () => {
  test('is an attachment once it is complete, and is announced to its owner', async () => {
    const pathId = newPath();
    await begin(ann, pathId);
    await expect(get(ann, pathId)).rejects.toMatchObject({ httpStatus: 404 });
    const { result, events } = await announcedBy(() =>
      network.client.completeUpload(callerOf(ann), { pathId, size: 12, image: PICTURE }),
    );
    const attachment = { id: result.id, name: 'a.png', pathId, size: 12, createdAtMs: clock.now(), messages: [] };
    const { uploadSpaceUsed } = await network.client.listAttachments(callerOf(ann), {});
    expect(events).toEqual([{ kind: 'attachment.added', payload: { ownerId: ann.id, attachment, uploadSpaceUsed } }]);
    expect(await get(ann, pathId)).toEqual({
      pathId,
      name: 'a.png',
      contentType: 'image/png',
      size: 12,
      image: PICTURE,
      thumbnails: 'pending',
    });
  });

  test('may come in parts, each counted once and only where the last one ended', async () => {
    const pathId = newPath();
    await begin(ann, pathId, 10);
    const advance = (fromOffset: number, toOffset: number, user = ann, attempt = '') =>
      network.client.advanceUpload(callerOf(user), { pathId, fromOffset, toOffset, attempt });
    expect((await advance(0, 4)).partEnds).toEqual([4]);
    await expect(advance(0, 4)).rejects.toMatchObject({ httpStatus: 409 });
    await expect(advance(4, 11)).rejects.toMatchObject({ httpStatus: 413 });
    await expect(advance(4, 10, bob)).rejects.toMatchObject({ httpStatus: 404 });
    const both = await Promise.allSettled([advance(4, 9), advance(4, 10)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await network.client.completeUpload(callerOf(ann), { pathId, size: 10, image: null });
    expect(await network.client.getUploadProgress(callerOf(ann), { pathId })).toMatchObject({
      isStored: true,
      size: 10,
    });
    await expect(advance(9, 10)).rejects.toMatchObject({ httpStatus: 409 });
    await expect(advance(10, 11)).rejects.toMatchObject({ httpStatus: 413 });
  });

  test('knows whose parts it has: of attempts at the same bytes the first one counts, however often it asks', async () => {
    const pathId = newPath();
    await begin(ann, pathId, 10);
    const advance = (attempt: string, fromOffset: number, toOffset: number) =>
      network.client.advanceUpload(callerOf(ann), { pathId, fromOffset, toOffset, attempt });
    const parts = { partEnds: [4, 6], partAttempts: ['', 'quick'] };
    await advance('', 0, 4);
    expect(await advance('quick', 4, 6)).toMatchObject(parts);
    expect(await advance('quick', 4, 6)).toMatchObject(parts);
    await expect(advance('slow', 4, 10)).rejects.toMatchObject({ httpStatus: 409, message: 'Mismatched offset' });
    await expect(advance('../../x', 6, 10)).rejects.toMatchObject({ httpStatus: 400 });
    expect((await advance('last', 6, 10)).partAttempts).toEqual(['', 'quick', 'last']);
    expect((await advance('quick', 4, 6)).partEnds).toEqual([4, 6, 10]);
    await network.client.completeUpload(callerOf(ann), { pathId, size: 10, image: null });
    await expect(advance('slow', 4, 10)).rejects.toMatchObject({ httpStatus: 409 });
  });

  test('has parts that a replica of the version before has counted', async () => {
    const pathId = newPath();
    await begin(ann, pathId, 10);
    await query('update attachment set part_ends = part_ends || 4::bigint || 6::bigint where path_id = $1', [pathId]);
    const part = { pathId, fromOffset: 6, toOffset: 8, attempt: 'new' };
    const { partAttempts } = await network.client.advanceUpload(callerOf(ann), part);
    expect(partAttempts).toEqual(['', '', 'new']);
  });

  test.each([
    ['of another organization', `2/ab/${'s'.repeat(24)}/a`],
    ['that leads up', `1/ab/${'s'.repeat(24)}/../a`],
    ['without a secret', '1/ab/s/a'],
    ['with a null byte', `1/ab/${'s'.repeat(24)}/a\0`],
  ])('has no place %s', async (_what, pathId) => {
    await expect(begin(ann, pathId)).rejects.toThrow('Invalid path of a file');
  });
});

describe('access to a file', () => {
  test('only its owner before it is linked to', async () => {
    const pathId = await upload(ann);
    await expect(get(bob, pathId)).rejects.toMatchObject({ httpStatus: 403 });
    await expect(get(bob, newPath())).rejects.toMatchObject({ httpStatus: 404 });
    await expect(get({ ...ann, realmId: 2 }, pathId)).rejects.toMatchObject({ httpStatus: 404 });
  });

  test('everybody who may read a public channel in which it is linked to', async () => {
    const pathId = await upload(ann);
    await send(ann, linkTo(pathId));
    expect(await get(bob, pathId)).toMatchObject({ pathId });
  });

  test('receivers of a message of a channel whose history is protected', async () => {
    const pathId = await upload(ann);
    await send(ann, linkTo(pathId), cellar);
    network.realm.subscribe(cellar, bob);
    await expect(get(bob, pathId)).rejects.toMatchObject({ httpStatus: 403 });
    await send(ann, linkTo(pathId), cellar);
    expect(await get(bob, pathId)).toMatchObject({ pathId });
    await expect(get(eve, pathId)).rejects.toMatchObject({ httpStatus: 403 });
  });

  test('subscribers of a channel with protected history when the message was moved there', async () => {
    const { realm, client } = network;
    const vault = realm.addChannel('Vault', { isPrivate: true, isHistoryPublic: false });
    const carl = realm.addUser('Carl');
    realm.subscribe(vault, ann, carl);
    const pathId = await upload(ann);
    const messageId = await send(ann, linkTo(pathId), cellar);
    await client.editMessage(callerOf(ann), editRequest(messageId, { channelId: vault.id }));
    const late = realm.addUser('Late');
    realm.subscribe(vault, late);
    expect(await get(carl, pathId)).toMatchObject({ pathId });
    await expect(get(late, pathId)).rejects.toMatchObject({ httpStatus: 403 });
  });

  test('the participants of a direct conversation', async () => {
    const pathId = await upload(ann);
    await send(ann, linkTo(pathId), [bob]);
    expect(await get(bob, pathId)).toMatchObject({ pathId });
    await expect(get(eve, pathId)).rejects.toMatchObject({ httpStatus: 403 });
  });

  test('not receivers of a link from a sender without access to the file', async () => {
    const pathId = await upload(ann);
    const { events } = await announcedBy(() => send(eve, linkTo(pathId)));
    expect(events.map(({ kind }) => kind)).toEqual(['message.sent']);
    await expect(get(bob, pathId)).rejects.toMatchObject({ httpStatus: 403 });
    await send(ann, linkTo(pathId), [eve]);
    await send(eve, linkTo(pathId));
    expect(await get(bob, pathId)).toMatchObject({ pathId });
  });
});

describe('messages that link to files', () => {
  test('claim them in the transaction of the send, once', async () => {
    const pathId = await upload(ann);
    const request = toChannel(lobby.id, 'x', `${linkTo(pathId)} and again ${linkTo(pathId)}`, {
      idempotencyKey: 'claim',
    });
    const { result, events } = await announcedBy(() => network.client.sendMessage(callerOf(ann), request));
    expect(events.map(({ kind }) => kind)).toEqual(['message.sent', 'attachment.changed']);
    const { messageId } = result;
    expect(events[1]?.payload.attachment.messages).toEqual([{ id: messageId, sentAtMs: clock.now() }]);
    expect((await announcedBy(() => network.client.sendMessage(callerOf(ann), request))).events).toEqual([]);
    expect((await attachmentOf(ann, pathId))?.messages).toEqual([{ id: messageId, sentAtMs: clock.now() }]);
  });

  test('are stored as has_attachment and has_image', async () => {
    const pathId = await upload(ann, { image: PICTURE });
    const has = async (messageId: number) =>
      (
        await query('select has_attachment as attachment, has_image as image from message where id = $1', [messageId])
      )[0];
    expect(await has(await send(ann, linkTo(pathId)))).toEqual({ attachment: true, image: true });
    expect(await has(await send(ann, linkTo(await upload(ann))))).toEqual({ attachment: true, image: false });
    expect(await has(await send(ann, 'https://youtu.be/hx1mjT73xYE'))).toEqual({ attachment: false, image: true });
    expect(await has(await send(ann, 'https://example.com/film.mp4'))).toEqual({ attachment: false, image: true });
  });

  test('release them when their content changes; files without links are announced', async () => {
    const [first, second] = [await upload(ann), await upload(ann)];
    const messageId = await send(ann, `${linkTo(first)} ${linkTo(second)}`);
    const keptId = (await attachmentOf(ann, first))?.id as number;
    const replace = (attachmentIds: number[]) =>
      network.service.db.transaction((tx) =>
        replaceUploads(tx, { ...linking, messageId, authorId: ann.id, attachmentIds, nowMs: clock.now() }),
      );
    const { detached, events } = await replace([keptId]);
    expect(detached).toMatchObject([{ pathId: second, messages: [] }]);
    expect(events).toHaveLength(1);
    expect(await replace([keptId])).toEqual({ detached: [], events: [] });
    expect((await attachmentOf(ann, first))?.messages).toHaveLength(1);
  });

  test('release them when they are deleted', async () => {
    const pathId = await upload(ann);
    const ids = [await send(ann, linkTo(pathId)), await send(ann, linkTo(pathId))];
    const events = await network.service.db.transaction((tx) => releaseUploads(tx, 1, ids, clock.now()));
    expect(events).toMatchObject([{ kind: 'attachment.changed', payload: { attachment: { pathId, messages: [] } } }]);
    expect(await network.service.db.transaction((tx) => releaseUploads(tx, 1, ids, clock.now()))).toEqual([]);
  });
});

describe('deleting a file', () => {
  test('is for its owner only, and frees the space', async () => {
    const pathId = await upload(ann, { size: 100 });
    await send(ann, linkTo(pathId));
    const attachmentId = (await attachmentOf(ann, pathId))?.id as number;
    for (const [user, id] of [
      [bob, attachmentId],
      [ann, 999_999],
    ] as const) {
      await expect(network.client.deleteAttachment(callerOf(user), { attachmentId: id })).rejects.toThrow(
        'Invalid attachment',
      );
      await expect(network.client.getAttachment(callerOf(user), { attachmentId: id })).rejects.toThrow(
        'Invalid attachment',
      );
    }
    const { uploadSpaceUsed: before } = await network.client.listAttachments(callerOf(ann), {});
    const { events } = await announcedBy(() => network.client.deleteAttachment(callerOf(ann), { attachmentId }));
    expect(events).toEqual([
      { kind: 'attachment.removed', payload: { ownerId: ann.id, attachmentId, uploadSpaceUsed: before - 100 } },
    ]);
    await expect(get(ann, pathId)).rejects.toMatchObject({ httpStatus: 404 });
    expect(await query('select from attachment_link where attachment_id = $1', [attachmentId])).toEqual([]);
  });
});

describe('files that nothing links to', () => {
  const expire = async () => (await network.client.expireUploads(newCall(), {})).places;
  const forget = (pathId: string) => network.client.forgetUploads(newCall(), { places: [{ realmId: 1, pathId }] });

  test('expire after five weeks, incomplete ones after a day; those that are linked to never', async () => {
    const [unused, used, incomplete] = [await upload(ann), await upload(ann), newPath()];
    await send(ann, linkTo(used));
    await begin(ann, incomplete);
    clock.advance(DAY_MS + 1);
    expect(await expire()).toContainEqual({ realmId: 1, pathId: incomplete });
    expect(await get(ann, unused)).toBeDefined();
    clock.advance(34 * DAY_MS);
    const places = await expire();
    expect(places).toContainEqual({ realmId: 1, pathId: unused });
    expect(places).not.toContainEqual({ realmId: 1, pathId: used });
    await expect(get(ann, unused)).rejects.toMatchObject({ httpStatus: 404 });
    const { events } = await announcedBy(() => forget(unused));
    expect(events).toMatchObject([{ kind: 'attachment.removed', payload: { ownerId: ann.id } }]);
    expect((await announcedBy(() => forget(incomplete))).events).toEqual([]);
  });

  test('stay until a message that was scheduled will have linked to them', async () => {
    const [pathId, linked] = [await upload(ann), await upload(ann)];
    const messageId = await send(ann, linkTo(linked));
    const message = toChannel(lobby.id, 'x', `${linkTo(pathId)} ${linkTo(linked)}`);
    const keepsUploadsUntilMs = clock.now() + 100 * DAY_MS;
    await network.client.checkMessage(callerOf(ann), { message, keepsUploadsUntilMs });
    expect(await attachmentOf(ann, pathId)).toMatchObject({ messages: [] });
    await network.client.deleteMessage(callerOf(ann), { messageId });
    clock.advance(134 * DAY_MS);
    const kept = await expire();
    for (const path of [pathId, linked]) expect(kept).not.toContainEqual({ realmId: 1, pathId: path });
    clock.advance(2 * DAY_MS);
    const expired = await expire();
    for (const path of [pathId, linked]) expect(expired).toContainEqual({ realmId: 1, pathId: path });
  });

  test('are given out again while their bytes may still be there, and files that can be had are not forgotten', async () => {
    const pathId = await upload(ann);
    clock.advance(36 * DAY_MS);
    expect(await expire()).toContainEqual({ realmId: 1, pathId });
    expect(await expire()).toEqual([]);
    clock.advance(2 * 60 * 60_000);
    expect(await expire()).toContainEqual({ realmId: 1, pathId });
    const kept = await upload(ann);
    await forget(kept);
    expect(await get(ann, kept)).toMatchObject({ pathId: kept });
  });
});

/** Runs something after the decision what to store, before anything is stored. */
async function beforeStoring<Result>(
  store: () => Promise<Result>,
  meanwhile: () => Promise<unknown>,
  table = 'message',
): Promise<Result> {
  let stored: Promise<Result> | undefined;
  await network.service.db.transaction(async (tx) => {
    await tx.query(`lock table ${table} in share mode`);
    stored = store();
    await untilWaiting(network.service.db, stored);
    await meanwhile();
  });
  return stored as Promise<Result>;
}

describe('thumbnails', () => {
  const settle = (pathId: string, isReady: boolean) =>
    network.client.settleThumbnails(newCall(), { realmId: 1, pathId, isReady });

  test('replace the placeholders, and are announced to the message’s holders', async () => {
    const pathId = await upload(ann, { image: PICTURE });
    const messageId = await send(ann, linkTo(pathId));
    expect(await renderedOf(messageId)).toContain('image-loading-placeholder');
    const { events } = await announcedBy(() => settle(pathId, true));
    const renderedContent = await renderedOf(messageId);
    expect(renderedContent).toContain(`src="/user_uploads/thumbnail/${pathId}/840x560.webp"`);
    expect(events).toMatchObject([
      {
        kind: 'message.edited',
        payload: {
          editorId: null,
          messageId,
          messageIds: [messageId],
          content: { renderedContent },
          audience: { to: 'subscribers', channelId: lobby.id },
        },
      },
    ]);
    expect((await announcedBy(() => settle(pathId, true))).events).toEqual([]);
    expect(await renderedOf(await send(ann, linkTo(pathId)))).not.toContain('placeholder');
  });

  test('are not announced to users removed from the private channel meanwhile, but to new subscribers', async () => {
    const { realm } = network;
    const vault = realm.addChannel('Vault', { isPrivate: true });
    realm.subscribe(vault, ann, bob);
    const pathId = await upload(ann, { image: PICTURE });
    const messageId = await send(ann, linkTo(pathId), vault);
    const sent = { channelId: vault.id, version: vault.subscriptionVersion };
    realm.unsubscribe(vault, bob);
    realm.subscribe(vault, eve);
    await network.client.editMessage(callerOf(ann), editRequest(messageId, { content: `secret ${linkTo(pathId)}` }));
    const { events } = await announcedBy(() => settle(pathId, true));
    expect(events).toMatchObject([
      {
        kind: 'message.edited',
        payload: {
          editorId: null,
          audience: {
            to: 'subscribers',
            channelId: vault.id,
            version: vault.subscriptionVersion,
            isPublic: false,
            conditions: [],
            receivedAt: [sent],
          },
        },
      },
    ]);
    expect(events[0]?.payload.audience).not.toHaveProperty('heldAt');
  });

  test('are announced to the channel that a message was moved to meanwhile', async () => {
    const attic = network.realm.addChannel('Attic');
    network.realm.subscribe(attic, ann);
    const pathId = await upload(ann, { image: PICTURE });
    const messageId = await send(ann, linkTo(pathId));
    const { events } = await announcedBy(() =>
      beforeStoring(
        () => settle(pathId, true),
        () => network.client.editMessage(callerOf(ann), editRequest(messageId, { channelId: attic.id })),
        'attachment',
      ),
    );
    expect(await renderedOf(messageId)).not.toContain('placeholder');
    expect(events.at(-1)?.payload).toMatchObject({ editorId: null, messageId, audience: { channelId: attic.id } });
  });

  test('that cannot be made leave nothing behind', async () => {
    const pathId = await upload(ann, { image: PICTURE });
    const messageId = await send(ann, linkTo(pathId));
    await settle(pathId, false);
    expect(await renderedOf(messageId)).toBe(`<p>see <a href="/user_uploads/${pathId}">it</a></p>`);
  });

  test.each([
    ['sent', async () => (content: string) => send(ann, content)],
    [
      'edited',
      async () => {
        const messageId = await send(ann, 'soon');
        return async (content: string) => {
          await network.client.editMessage(callerOf(ann), editRequest(messageId, { content }));
          return messageId;
        };
      },
    ],
  ])('are shown, too, when they were settled while a message was being %s', async (_how, prepare) => {
    const pathId = await upload(ann, { image: PICTURE });
    const write = await prepare();
    const { result: messageId, events } = await announcedBy(() =>
      beforeStoring(
        () => write(linkTo(pathId)),
        () => settle(pathId, true),
      ),
    );
    expect(await renderedOf(messageId)).toContain(`src="/user_uploads/thumbnail/${pathId}/840x560.webp"`);
    const audience = { to: 'subscribers', channelId: lobby.id, version: lobby.subscriptionVersion, isPublic: true };
    expect(events.at(-1)).toMatchObject({ kind: 'message.edited', payload: { editorId: null, messageId, audience } });
  });

  test('are given out again if they were not made within some minutes', async () => {
    const pathId = await upload(ann, { image: PICTURE });
    const take = async () => (await network.client.takePendingThumbnails(newCall(), {})).places;
    expect(await take()).not.toContainEqual({ realmId: 1, pathId });
    clock.advance(4 * 60_000);
    expect(await take()).toContainEqual({ realmId: 1, pathId });
    expect(await take()).toEqual([]);
  });
});

test('files of a large organization are found by index', async () => {
  await query(
    `insert into attachment (realm_id, owner_id, path_id, name, content_type, size, created_at, state, expires_at, thumbnails, thumbnails_tried_at)
     select 3, n % 500, '3/ab/' || n, 'a', 'b', 1, now(), 'stored', case when n % 1000 = 0 then now() end,
       case when n % 1000 = 1 then 'pending' else 'none' end, now() from generate_series(1, 20000) n`,
  );
  await query(
    'insert into attachment_link (realm_id, attachment_id, message_id) select 3, id, id from attachment where realm_id = 3',
  );
  await query(
    `insert into message (realm_id, id, conversation_id, sender_id, content, rendered_content, sent_at, client_name, is_me_message,
       is_read_by_sender, mentions_channel, mentions_topic)
     select 3, id, id, 1, '', '', now(), '', false, false, false, false from attachment where realm_id = 3`,
  );
  await query('analyze attachment, attachment_link, message');
  const planOf = async ({ text }: { text: string }, values: unknown[]) =>
    JSON.stringify(await query(`explain (format json) ${text}`, values));
  const ids = [1, 2, 3];
  expect(await planOf(LIST_BY_PATH, [3, ['3/ab/7']])).toContain('attachment_realm_id_path_id_key');
  expect(await planOf(LIST_PLACES, [3, ids])).toContain('attachment_link_pkey');
  expect(await planOf(MARK_EXPIRED, [0, 100])).toContain('attachment_by_expiry');
  expect(await planOf(TAKE_PENDING, [0, 0, 20])).toContain('attachment_without_thumbnails');
  expect(
    await planOf({ text: 'select attachment_id from attachment_link where realm_id = $1 and message_id = any($2)' }, [
      3,
      ids,
    ]),
  ).toContain('attachment_link_of_message');
});

test('uploads of an organization with a quota are limited', () => {
  const mib = 1024 * 1024;
  const limited = { config: { UPLOAD_QUOTA_MIB: 2 } } as Parameters<typeof checkQuota>[0];
  const unlimited = { config: {} } as Parameters<typeof checkQuota>[0];
  const taking = (bytes: number, quota: { mib: number | null } | null = null) => ({ bytes, quota });
  expect(() => checkQuota(limited, taking(2 * mib))).not.toThrow();
  expect(() => checkQuota(limited, taking(2 * mib + 1))).toThrow(RealmUploadQuotaError);
  expect(() => checkQuota(limited, taking(3 * mib, { mib: 3 }))).not.toThrow();
  expect(() => checkQuota(limited, taking(1, { mib: 0 }))).toThrow(RealmUploadQuotaError);
  expect(() => checkQuota(limited, taking(1e15, { mib: null }))).not.toThrow();
  expect(() => checkQuota(unlimited, taking(1e15))).not.toThrow();
});

test('an account has a quota, and running uploads count', async () => {
  const mib = 1024 * 1024;
  const quotaMib = 5 * 1024;
  const collector = network.realm.addUser('Collector');
  await begin(collector, newPath(), quotaMib * mib - 5);
  await begin(collector, newPath(), 5);
  await expect(begin(collector, newPath(), 1)).rejects.toMatchObject({
    ...{ code: 'REALM_UPLOAD_QUOTA', message: `Upload would exceed your own upload quota of ${quotaMib} MiB.` },
  });
  const unknown = newPath();
  await begin(collector, unknown, 0);
  const completed = network.client.completeUpload(callerOf(collector), { pathId: unknown, size: 1, image: null });
  await expect(completed).rejects.toMatchObject({ code: 'REALM_UPLOAD_QUOTA' });
});

test('a claim that names no file does nothing', async () => {
  const claim = { ...linking, messageId: 1, attachmentIds: [], nowMs: 0 };
  expect(await network.service.db.transaction((tx) => claimUploads(tx, claim))).toEqual([]);
});

test('of many files that are kept, an expiry reads those that expire', async () => {
  const { db } = network.service;
  await db.query(
    `insert into attachment (realm_id, owner_id, path_id, name, content_type, size, created_at, state, expires_at)
     select 4, 1, '4/many/' || n, 'a', 'text/plain', 1, now(), 'stored', case when n % 10 = 0 then '2100-01-01' when n = 1 then '2000-01-01'::timestamptz end
     from generate_series(1, 5000) n`,
  );
  await db.query('vacuum analyze attachment');
  const { sql, plans } = observed(db);
  await sql.query(MARK_EXPIRED, [Date.parse('2001-01-01'), 100]);
  expect(rowsReadIn(plans)).toBeLessThan(100);
  await db.query('delete from attachment where realm_id = 4');
});

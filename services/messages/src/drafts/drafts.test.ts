import { connectBus } from '@parley/shared/bus';
import { domainEvents, type EventKind, userSettingChanged } from '@parley/shared/events';
import type { Draft, DraftInput, User } from '@parley/shared/proto';
import { silentLogger } from '@parley/shared/service';
import { createFakeClock, testServers } from '@parley/shared/testing';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, type MessagesUnderTest, startMessages } from '../../test/start-messages';

const clock = createFakeClock();
let network: MessagesUnderTest;
let ann: User;
let bob: User;
let carl: User;
let lobby: PeerChannel;
let secret: PeerChannel;
let old: PeerChannel;

beforeAll(async () => {
  network = await startMessages({ clock });
  const { realm } = network;
  [ann, bob, carl] = [realm.addUser('Ann'), realm.addUser('Bob'), realm.addUser('Carl')];
  lobby = realm.addChannel('Lobby');
  secret = realm.addChannel('Secret', { isPrivate: true });
  old = realm.addChannel('Old', { isArchived: true });
});
beforeEach(async () => {
  network.realm.settings.clear();
  await network.service.db.query('delete from draft');
  await network.service.db.query('delete from outbox');
});
afterAll(() => network.stop());

const inputOf = (over: Partial<DraftInput> = {}): DraftInput => ({
  kind: 'channel',
  toIds: [lobby.id],
  topic: 'lunch',
  content: 'soup',
  ...over,
});
const create = (user: User, ...drafts: DraftInput[]) => network.client.createDrafts(callerOf(user), { drafts });
const update = (user: User, draftId: number, draft: DraftInput) =>
  network.client.updateDraft(callerOf(user), { draftId, draft });
const draftsOf = async (user: User) => (await network.client.getDrafts(callerOf(user), {})).drafts;
const createOne = async (draft: DraftInput) => (await create(ann, draft)).draftIds[0] as number;

/** The public events announced. */
async function announced(): Promise<unknown[]> {
  const rows = await network.service.db.query<{ kind: EventKind; payload: string }>(
    'select kind, payload from outbox order by id',
  );
  return rows.flatMap(({ kind, payload }) => {
    const { publicShapes } = domainEvents[kind];
    return publicShapes.map((shape) => {
      const event = JSON.parse(payload) as never;
      return { ...shape.render(event, {} as never), audience: shape.audience(event) };
    });
  });
}

describe('new drafts', () => {
  test('are kept in order, cut to the limits, and announced to their author', async () => {
    const long = { content: 'c'.repeat(10_001), topic: 't'.repeat(61) };
    const { draftIds } = await create(ann, inputOf(long), inputOf({ kind: '', toIds: [99], topic: 'dropped' }));
    const [addressed, idle] = draftIds as [number, number];
    const kept: Record<number, Draft> = Object.fromEntries((await draftsOf(ann)).map((draft) => [draft.id, draft]));
    expect(kept[addressed]).toEqual({
      id: addressed,
      channelId: lobby.id,
      recipientIds: [],
      topic: `${'t'.repeat(57)}...`,
      content: `${'c'.repeat(9_980)}\n[message truncated]`,
      editedAtMs: clock.now(),
    });
    expect(kept[idle]).toEqual({ id: idle, recipientIds: [], topic: '', content: 'soup', editedAtMs: clock.now() });
    expect(await announced()).toEqual([
      {
        type: 'drafts',
        op: 'add',
        drafts: [
          expect.objectContaining({ id: addressed, type: 'stream', to: [lobby.id] }),
          { id: idle, type: '', to: [], topic: '', content: 'soup', timestamp: Math.floor(clock.now() / 1_000) },
        ],
        audience: { to: 'users', userIds: [ann.id] },
      },
    ]);
  });

  test.each<[string, () => number[], () => number[]]>([
    ['others, each once, by id', () => [carl.id, bob.id, bob.id], () => [bob.id, carl.id]],
    ['others without the author', () => [ann.id, bob.id], () => [bob.id]],
    ['oneself', () => [ann.id], () => [ann.id]],
    ['nobody yet', () => [], () => []],
  ])('for %s', async (_name, toIds, recipientIds) => {
    await create(ann, inputOf({ kind: 'direct', toIds: toIds() }));
    expect(await draftsOf(ann)).toMatchObject([{ recipientIds: recipientIds(), topic: '' }]);
  });

  test('may be none', async () => {
    expect(await create(ann)).toEqual({ draftIds: [] });
    expect(await announced()).toEqual([]);
  });

  test('to channels and users are checked by one call', async () => {
    network.realm.sendFactsCalls.length = 0;
    secret.intervals.clear();
    network.realm.subscribe(secret, bob);
    const drafts = [inputOf(), inputOf({ toIds: [secret.id] }), inputOf({ kind: 'direct', toIds: [ann.id] })];
    await create(bob, ...drafts);
    expect(network.realm.sendFactsCalls).toEqual([3]);
  });

  test.each<[string, () => Partial<DraftInput>, string]>([
    ['blank content', () => ({ content: ' \n' }), 'Message must not be empty'],
    ['a null byte in the content', () => ({ content: 'a\0' }), 'Message must not contain null bytes'],
    ['a time before 1970', () => ({ editedAtMs: -1 }), 'Timestamp must not be negative.'],
    ['a null byte in the topic', () => ({ topic: '\0', toIds: [] }), 'Topic must not contain null bytes'],
    ['no channel', () => ({ toIds: [] }), 'Must specify exactly 1 channel ID for channel messages'],
    [
      'two channels',
      () => ({ toIds: [lobby.id, secret.id] }),
      'Must specify exactly 1 channel ID for channel messages',
    ],
    ['a channel that is not there', () => ({ toIds: [999] }), 'Invalid channel ID'],
    ['a channel that may not be read', () => ({ toIds: [secret.id] }), 'Invalid channel ID'],
    ['an archived channel', () => ({ toIds: [old.id] }), 'Invalid channel ID'],
    ['an unknown user', () => ({ kind: 'direct', toIds: [bob.id, 999] }), 'Invalid user ID 999'],
  ])('with %s are refused, the good ones beside them too', async (_name, over, message) => {
    await expect(create(ann, inputOf(), inputOf(over()))).rejects.toMatchObject({ message, httpStatus: 400 });
    expect(await draftsOf(ann)).toEqual([]);
  });

  test('of a bot are for channels that it may read, not for those where only its owner is', async () => {
    network.realm.subscribe(secret, carl);
    const robo = network.realm.addUser('Robo', { isBot: true, botOwnerId: carl.id });
    await expect(create(robo, inputOf({ toIds: [secret.id] }))).rejects.toThrow('Invalid channel ID');
    expect((await create(carl, inputOf({ toIds: [secret.id] }))).draftIds).toHaveLength(1);
  });

  test('are bounded in number', async () => {
    const many = Array.from({ length: 500 }, () => inputOf({ kind: '', content: 'x' }));
    await expect(create(ann, ...many, inputOf())).rejects.toThrow('Too many drafts in one request (maximum 500).');
    for (let filled = 0; filled < 5_000; filled += 500) await create(ann, ...many);
    await expect(create(ann, inputOf())).rejects.toThrow('There are too many drafts; delete some of them first.');
    await create(bob, inputOf());
    expect(await draftsOf(ann)).toHaveLength(5_000);
    const { drafts } = await network.client.getWritings(callerOf(ann), {
      includesDrafts: true,
      includesSavedSnippets: true,
    });
    expect(drafts).toHaveLength(1_000);
  });
});

test('drafts are listed by their last edit, newest first, to their author only', async () => {
  const at = (editedAtMs: number) => inputOf({ editedAtMs });
  const { draftIds } = await create(ann, at(2_000), at(3_000), at(1_000), at(3_000));
  const [second, third, first, alsoThird] = draftIds;
  expect((await draftsOf(ann)).map(({ id }) => id)).toEqual([alsoThird, third, second, first]);
  expect(await draftsOf(bob)).toEqual([]);
});

test('the list is read along its index', async () => {
  const { db } = network.service;
  await db.query(`insert into draft (realm_id, user_id, recipient_ids, topic, content, edited_at)
    select 1, u, '{}', '', 'x', to_timestamp(n) from generate_series(1, 50) u, generate_series(1, 100) n`);
  await db.query('analyze draft');
  const plan = await db.query<{ 'QUERY PLAN': string }>(
    'explain select content from draft where realm_id = 1 and user_id = 7 order by edited_at desc, id desc limit 10',
  );
  expect(JSON.stringify(plan)).toMatch(/Index Scan using draft_by_edit/);
  expect(JSON.stringify(plan)).not.toMatch(/Sort|Seq Scan/);
});

describe('a draft is replaced', () => {
  test('as a whole, announced to its author', async () => {
    const id = await createOne(inputOf());
    clock.advance(5_000);
    await update(ann, id, inputOf({ kind: 'direct', toIds: [bob.id], content: 'stew' }));
    const draft = { id, recipientIds: [bob.id], topic: '', content: 'stew', editedAtMs: clock.now() };
    expect(await draftsOf(ann)).toEqual([draft]);
    expect((await announced()).at(-1)).toEqual({
      type: 'drafts',
      op: 'update',
      draft: expect.objectContaining({ id, type: 'private', to: [bob.id], content: 'stew' }),
      audience: { to: 'users', userIds: [ann.id] },
    });
  });

  test('without an event if nothing changes', async () => {
    const same = inputOf({ editedAtMs: 7_000 });
    const id = await createOne(same);
    await update(ann, id, same);
    expect(await announced()).toHaveLength(1);
  });

  test('only where it is there, which is looked at first', async () => {
    const id = await createOne(inputOf());
    const missing = { name: 'NothingToDoError', message: 'Draft does not exist', code: 'BAD_REQUEST', httpStatus: 404 };
    await expect(update(bob, id, inputOf({ content: '' }))).rejects.toMatchObject(missing);
    await expect(update(ann, id, inputOf({ content: '' }))).rejects.toThrow('Message must not be empty');
  });
});

test('a draft is deleted once', async () => {
  const id = await createOne(inputOf());
  const remove = (user: User) => network.client.deleteDraft(callerOf(user), { draftId: id });
  await expect(remove(bob)).rejects.toMatchObject({ httpStatus: 404 });
  await remove(ann);
  expect(await draftsOf(ann)).toEqual([]);
  expect((await announced()).at(-1)).toMatchObject({ type: 'drafts', op: 'remove', draft_id: id });
  await expect(remove(ann)).rejects.toMatchObject({ message: 'Draft does not exist', httpStatus: 404 });
});

describe('a user who has disabled drafts on the server', () => {
  test('can do nothing with them', async () => {
    network.realm.settings.set(ann.id, { enable_drafts_synchronization: false });
    const refusal = { message: 'User has disabled synchronizing drafts.', code: 'BAD_REQUEST', httpStatus: 400 };
    for (const attempt of [
      () => draftsOf(ann),
      () => create(ann, inputOf({ content: '' })),
      () => update(ann, 999, inputOf()),
      () => network.client.deleteDraft(callerOf(ann), { draftId: 999 }),
    ]) {
      await expect(attempt()).rejects.toMatchObject(refusal);
    }
  });

  test('loses those there are, without a word, and once', async () => {
    await create(ann, inputOf());
    await create(bob, inputOf());
    const bus = await connectBus({
      url: testServers().natsUrl,
      prefix: network.prefix,
      name: 'test',
      log: silentLogger,
    });
    const { kind } = userSettingChanged;
    const isWanted = (user: User, value: boolean, name = 'enable_drafts_synchronization') => ({
      userId: user.id,
      name,
      value,
    });
    const publish = async (ids: number[], payloads: unknown[]) => {
      const record = { service: 'realm', kind, realmId: 1, ids, payloads };
      await bus.js.publish(bus.subject(1, kind), JSON.stringify(record));
    };
    const changes = [isWanted(bob, true), isWanted(bob, false, 'enter_sends'), isWanted(ann, false)];
    await publish([11, 12, 13], changes);
    while ((await draftsOf(ann)).length > 0);
    expect(await draftsOf(bob)).toHaveLength(1);
    expect(await announced()).toHaveLength(2);

    await create(ann, inputOf());
    await publish([11, 12, 13], changes);
    await publish([14], [isWanted(bob, false)]);
    while ((await draftsOf(bob)).length > 0);
    expect(await draftsOf(ann)).toHaveLength(1);
    await bus.close();
  });
});

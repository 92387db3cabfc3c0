import type { GetMessagesRequest, User } from '@parley/shared/proto';
import { foundMessage } from '@parley/shared/wire';
import { editRequest } from '../../test/edit-world';
import type { PeerChannel } from '../../test/realm-peer';
import {
  callerOf,
  getRequest,
  idsOf,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
  toUsers,
} from '../../test/start-messages';

const NEWEST = 10_000_000_000_000_000;

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let eve: User;

beforeAll(async () => {
  network = await startMessages();
  [ann, bob, eve] = [network.realm.addUser('Ann'), network.realm.addUser('Bob'), network.realm.addUser('Eve')];
});

afterAll(() => network.stop());

async function post(channel: PeerChannel, content: string, topic = 'x'): Promise<number> {
  const { messageId } = await network.client.sendMessage(callerOf(bob), toChannel(channel.id, topic, content));
  return messageId;
}

const get = (user: User, facts: Partial<GetMessagesRequest> = {}) =>
  network.client.getMessages(callerOf(user), getRequest(facts));

test('with a view, messages are answered as the JSON that clients get', async () => {
  const channel = network.realm.addChannel('Views');
  network.realm.subscribe(channel, ann);
  await post(channel, 'plain *words*');
  await post(channel, '**more** of them', '');
  const facts = { anchorKind: 'newest', numBefore: 9, narrow: [term('channel', { id: channel.id })] };
  const view = { applyMarkdown: true, clientGravatar: false, isEmptyTopicUnderstood: false };
  const { messages, messagesJson: _none, ...range } = await get(ann, facts);
  const answer = await get(ann, { ...facts, view });
  expect(messages).toHaveLength(2);
  expect(JSON.parse(Buffer.concat(answer.messagesJson).toString())).toEqual(
    JSON.parse(JSON.stringify(messages.map((message) => foundMessage(message, view)))),
  );
  expect(answer).toMatchObject({ ...range, messages: [], messagesJson: expect.any(Array) });
});

describe('around an anchor', () => {
  /** Ids of the messages 1 to 5, with others between them that the narrow excludes. */
  let ids: number[];
  let narrow: GetMessagesRequest['narrow'];

  beforeAll(async () => {
    const channel = network.realm.addChannel('Anchors');
    network.realm.subscribe(channel, ann);
    narrow = [term('channel', { id: channel.id }), term('topic', { text: 'even' })];
    ids = [];
    for (let index = 1; index <= 5; index += 1) {
      ids.push(await post(channel, `${index}`, 'even'));
      await post(channel, 'between', 'odd');
    }
  });

  type Around = Partial<Pick<GetMessagesRequest, 'anchorKind' | 'includeAnchor'>> & { at?: number };
  type Expected = { found: number[]; anchor?: number; isFound?: string };

  // `at` and `found` are numbers of messages, x.5 lies after message x; `isFound` holds a, o, n for anchor, oldest, newest.
  test.each<[Around, number, number, Expected]>([
    [{ anchorKind: 'newest' }, 2, 0, { found: [4, 5], anchor: NEWEST, isFound: 'n' }],
    [{ anchorKind: 'newest' }, 9, 9, { found: [1, 2, 3, 4, 5], anchor: NEWEST, isFound: 'on' }],
    [{ anchorKind: 'newest' }, 0, 0, { found: [], anchor: NEWEST, isFound: 'n' }],
    [{ anchorKind: 'oldest' }, 0, 2, { found: [1, 2], anchor: 0, isFound: 'o' }],
    [{ anchorKind: 'oldest' }, 9, 9, { found: [1, 2, 3, 4, 5], anchor: 0, isFound: 'on' }],
    [{ anchorKind: 'first_unread' }, 1, 1, { found: [1, 2], isFound: 'ao' }],
    [{ at: 3 }, 1, 1, { found: [2, 3, 4], isFound: 'a' }],
    [{ at: 3 }, 2, 2, { found: [1, 2, 3, 4, 5], isFound: 'a' }],
    [{ at: 3 }, 3, 3, { found: [1, 2, 3, 4, 5], isFound: 'aon' }],
    [{ at: 3 }, 0, 0, { found: [3], isFound: 'a' }],
    [{ at: 3 }, 0, 1, { found: [3, 4], isFound: 'a' }],
    [{ at: 3 }, 1, 0, { found: [2, 3], isFound: 'a' }],
    [{ at: 3.5 }, 1, 1, { found: [3, 4], isFound: '' }],
    [{ at: 3.5 }, 0, 0, { found: [], isFound: '' }],
    [{ at: 3, includeAnchor: false }, 2, 0, { found: [1, 2], isFound: '' }],
    [{ at: 3, includeAnchor: false }, 0, 9, { found: [4, 5], isFound: 'n' }],
    [{ at: 3, includeAnchor: false }, 0, 0, { found: [], isFound: '' }],
    [{ at: 5 }, 0, 1, { found: [5], isFound: 'an' }],
    [{ at: 1 }, 1, 0, { found: [1], isFound: 'ao' }],
  ])('%j, %d before and %d after: %j', async ({ at, ...around }, numBefore, numAfter, { found, anchor, isFound }) => {
    const position = at === undefined ? {} : { anchor: (ids[Math.floor(at) - 1] as number) + (at % 1 ? 1 : 0) };
    const answer = await get(ann, { ...position, ...around, numBefore, numAfter, narrow });
    expect(idsOf(answer)).toEqual(found.map((number) => ids[number - 1]));
    const flags = { foundAnchor: 'a', foundOldest: 'o', foundNewest: 'n' } as const;
    const letters = Object.entries(flags).map(([flag, letter]) => (answer[flag as keyof typeof flags] ? letter : ''));
    expect(letters.join('')).toBe(isFound);
    expect(answer.anchor).toBe(anchor ?? position.anchor ?? ids[0]);
  });

  test.each<[Partial<GetMessagesRequest>, string]>([
    [{ anchor: 1, numBefore: 1, numAfter: 1, includeAnchor: false }, 'can only be excluded at an end of the range'],
    [{ anchor: 1, numBefore: 4_000, numAfter: 1_001 }, 'Too many messages requested (maximum 5000).'],
    [{ messageIds: Array.from({ length: 5_001 }, (_, id) => id) }, 'Too many messages requested (maximum 5000).'],
    [{ anchorKind: 'yesterday' }, 'Invalid anchor'],
    [{ anchor: 1, numBefore: -1 }, 'num_before is too small'],
    [{ anchor: 1, numAfter: -1 }, 'num_after is too small'],
  ])('%p is refused', async (facts, expected) => {
    await expect(get(ann, facts)).rejects.toThrow(expected);
  });

  test('a negative anchor is the oldest, a huge one the newest', async () => {
    expect(await get(ann, { anchor: -7, narrow })).toMatchObject({ anchor: 0, foundOldest: true });
    expect(await get(ann, { anchor: 2 * NEWEST, narrow })).toMatchObject({ anchor: NEWEST, foundNewest: true });
  });
});

describe('without a narrow', () => {
  test('is the received messages: by subscription at the time, or directly', async () => {
    const channel = network.realm.addChannel('Feed');
    const before = await post(channel, 'before');
    network.realm.subscribe(channel, eve);
    const during = await post(channel, 'during');
    const direct = await network.client.sendMessage(callerOf(bob), toUsers([eve], 'hi'));
    await network.client.sendMessage(callerOf(bob), toUsers([ann], 'not for eve'));
    network.realm.unsubscribe(channel, eve);
    await post(channel, 'after');
    network.realm.subscribe(channel, eve);
    const again = await post(channel, 'again');
    expect(idsOf(await get(eve))).toEqual([during, direct.messageId, again]);
    expect(idsOf(await get(eve, { anchorKind: 'oldest', numAfter: 2 }))).toEqual([during, direct.messageId]);
    expect(idsOf(await get(eve, { narrow: [term('channel', { id: channel.id })] }))).toContain(before);
  });

  test('a client learns the newest id it has received, or that there is none', async () => {
    const newcomer = network.realm.addUser('New');
    const wanted = { includesUnread: false, includesStarred: false, includesRecentDirects: false };
    const state = () => network.client.getMessageState(callerOf(newcomer), wanted);
    expect(await state()).toEqual({ maxMessageId: -1, starredIds: [], recentDirects: [] });
    const { messageId } = await network.client.sendMessage(callerOf(bob), toUsers([newcomer], 'hi'));
    await network.client.sendMessage(callerOf(bob), toUsers([ann], 'not for them'));
    expect(await state()).toEqual({ maxMessageId: messageId, starredIds: [], recentDirects: [] });
  });

  test('a client learns in which direct conversations something was written last', async () => {
    const newcomer = network.realm.addUser('Newer');
    const write = async (sender: User, ...others: User[]) =>
      (await network.client.sendMessage(callerOf(sender), toUsers(others, 'hi'))).messageId;
    await write(bob, newcomer);
    const group = await write(newcomer, ann, bob);
    const own = await write(newcomer, newcomer);
    const pair = await write(newcomer, bob);
    const wanted = { includesUnread: false, includesStarred: false, includesRecentDirects: true };
    const { recentDirects } = await network.client.getMessageState(callerOf(newcomer), wanted);
    const ids = (...users: User[]) => users.map(({ id }) => id).sort((a, b) => a - b);
    expect(recentDirects).toEqual([
      { maxMessageId: pair, participantIds: ids(bob, newcomer) },
      { maxMessageId: own, participantIds: ids(newcomer) },
      { maxMessageId: group, participantIds: ids(ann, bob, newcomer) },
    ]);
  });
});

describe('protected history', () => {
  let vault: PeerChannel;
  let [early, during, late]: number[] = [];

  beforeAll(async () => {
    vault = network.realm.addChannel('Vault', { isPrivate: true, isHistoryPublic: false });
    network.realm.subscribe(vault, bob);
    early = await post(vault, 'early');
    network.realm.subscribe(vault, ann);
    during = await post(vault, 'during');
    network.realm.unsubscribe(vault, ann);
    late = await post(vault, 'late');
    network.realm.subscribe(vault, ann);
  });

  const narrow = () => [term('channel', { id: vault.id })];

  test('shows a subscriber the received messages, however they are requested', async () => {
    expect(idsOf(await get(ann, { narrow: narrow() }))).toEqual([during]);
    expect(idsOf(await get(ann, { narrow: [...narrow(), term('topic', { text: 'x' })] }))).toEqual([during]);
    expect(idsOf(await get(ann, { messageIds: [early, during, late] as number[] }))).toEqual([during]);
    expect(idsOf(await get(bob, { narrow: narrow() }))).toEqual([early, during, late]);
  });

  test('hides everything from users who may not know of the channel', async () => {
    await expect(get(eve, { narrow: narrow() })).rejects.toMatchObject({ code: 'BAD_NARROW' });
    expect(idsOf(await get(eve, { messageIds: [early, during, late] as number[] }))).toEqual([]);
  });
});

test('after leaving a private channel a reader has none of its messages, and gets the received ones back by joining', async () => {
  const club = network.realm.addChannel('Club', { isPrivate: true, isHistoryPublic: false });
  network.realm.subscribe(club, bob, ann);
  const received = await post(club, 'received');
  network.realm.unsubscribe(club, ann);
  const since = await post(club, 'since');
  const narrow = [term('channel', { id: club.id })];
  await expect(get(ann, { narrow })).rejects.toThrow(`unknown channel ${club.id}`);
  expect(idsOf(await get(ann, { messageIds: [received, since] }))).toEqual([]);
  expect(idsOf(await get(ann))).not.toContain(received);
  for (const messageId of [received, since]) {
    await expect(network.client.getMessage(callerOf(ann), { messageId })).rejects.toThrow('Invalid message(s)');
  }
  network.realm.subscribe(club, ann);
  expect(idsOf(await get(ann, { narrow }))).toEqual([received]);
});

describe('by ids', () => {
  test('come those that the caller may read, ascending, the narrow applied, without an anchor', async () => {
    const [open, closed] = [network.realm.addChannel('Open'), network.realm.addChannel('Closed', { isPrivate: true })];
    network.realm.subscribe(closed, bob);
    const [a, b, c] = [await post(open, 'a'), await post(open, 'b', 'y'), await post(closed, 'c')];
    const messageIds = [b, 999_999, c, a];
    expect(await get(ann, { messageIds })).toMatchObject({
      foundAnchor: false,
      foundOldest: false,
      foundNewest: false,
    });
    expect(await get(ann, { messageIds })).not.toHaveProperty('anchor');
    expect(idsOf(await get(ann, { messageIds }))).toEqual([a, b]);
    expect(idsOf(await get(ann, { messageIds, narrow: [term('topic', { text: 'y' })] }))).toEqual([b]);
  });
});

describe('flags', () => {
  test('say which messages are read, mention the reader, or were not received', async () => {
    const channel = network.realm.addChannel('Flags');
    const before = await post(channel, 'before');
    network.realm.subscribe(channel, ann, bob);
    const own = (isReadBySender: boolean) =>
      network.client.sendMessage(callerOf(ann), toChannel(channel.id, 'x', 'own', { isReadBySender }));
    const [read, unread] = [await own(true), await own(false)];
    const mention = await post(channel, '@**Ann** look');
    const { messages } = await get(ann, { narrow: [term('channel', { text: 'flags' })] });
    expect(messages.map(({ id, flags }) => [id, flags])).toEqual([
      [before, ['read', 'historical']],
      [read.messageId, ['read']],
      [unread.messageId, []],
      [mention, ['mentioned']],
    ]);
    const toBob = await get(bob, { narrow: [term('channel', { text: 'flags' })] });
    expect(toBob.messages.slice(1).map(({ flags }) => flags)).toEqual([[], [], []]);
  });
});

describe('the first unread message', () => {
  test('is the oldest one received that is not the reader’s own, muted channels aside', async () => {
    const reader = network.realm.addUser('Reader');
    const [loud, quiet] = [network.realm.addChannel('Loud'), network.realm.addChannel('Quiet')];
    const firstUnread = (narrow: GetMessagesRequest['narrow'] = []) =>
      get(reader, { anchorKind: 'first_unread', numBefore: 0, narrow }).then(({ anchor }) => anchor);
    await post(loud, 'before the subscription');
    network.realm.subscribe(loud, reader);
    network.realm.subscribe(quiet, reader);
    expect(await firstUnread()).toBe(NEWEST);
    await network.client.sendMessage(callerOf(reader), toChannel(quiet.id, 'x', 'own', { isReadBySender: true }));
    expect(await firstUnread()).toBe(NEWEST);
    loud.mutedByIds.add(reader.id);
    const muted = await post(loud, 'muted');
    const first = await post(quiet, 'first');
    await post(quiet, 'second');
    expect(await firstUnread()).toBe(first);
    expect(await firstUnread([term('channel', { id: loud.id })])).toBe(muted);
  });
});

test('users in all messages of an answer are loaded once, with their current names', async () => {
  const renamed = network.realm.addUser('Maiden Name');
  const { messageId } = await network.client.sendMessage(callerOf(renamed), toUsers([ann, bob], 'hi'));
  renamed.fullName = 'Married Name';
  const { messages } = await get(ann, { messageIds: [messageId] });
  expect(messages[0]).toMatchObject({ sender: renamed, participants: [ann, bob, renamed] });
});

test('all messages come by one statement, by two where it is not plain from the subscriptions who received a message', async () => {
  const { realm, client, service } = network;
  const zoe = realm.addUser('Zoe');
  const [vault, open] = [
    realm.addChannel('One vault', { isPrivate: true, isHistoryPublic: false }),
    realm.addChannel('One open'),
  ];
  realm.subscribe(vault, bob);
  realm.subscribe(open, zoe);
  const [secret, moved] = [await post(vault, 'before Zoe'), await post(open, 'to be moved')];
  realm.subscribe(vault, zoe);
  const received = [moved, await post(vault, 'for Zoe'), await post(open, 'for all')];
  const newest = { anchorKind: 'newest', numBefore: 20 };
  // The fewest of some pages: what the service does besides is counted, too.
  const statementsOfPage = async () => {
    const counts: number[] = [];
    for (let page = 0; page < 4; page += 1) {
      const before = service.db.statementCount;
      const { messages } = await get(zoe, newest);
      counts.push(service.db.statementCount - before);
      const ids = messages.map(({ id }) => id);
      expect(ids).toEqual(received);
      expect(ids).not.toContain(secret);
    }
    return Math.min(...counts);
  };
  const plain = await statementsOfPage();
  await client.editMessage(callerOf(bob), editRequest(moved, { channelId: vault.id }));
  expect(await statementsOfPage()).toBe(plain + 1);
});

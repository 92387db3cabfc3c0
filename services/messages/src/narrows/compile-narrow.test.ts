import type { NarrowTerm, User } from '@parley/shared/proto';
import type { PeerChannel } from '../../test/realm-peer';
import {
  callerOf,
  getRequest,
  type MessagesUnderTest,
  startMessages,
  term,
  toChannel,
  toUsers,
} from '../../test/start-messages';

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let eve: User;
let lobby: PeerChannel;

beforeAll(async () => {
  network = await startMessages();
  const { realm, client } = network;
  [ann, bob, eve] = [realm.addUser('Ann'), realm.addUser('Bob'), realm.addUser('Eve')];
  realm.addUser('Gone', { isActive: false });
  lobby = realm.addChannel('Lobby');
  const [kitchen, side] = [realm.addChannel('Kitchen'), realm.addChannel('Side')];
  realm.addChannel('Secret', { isPrivate: true });
  realm.subscribe(lobby, ann, bob);
  realm.subscribe(kitchen, ann, bob);
  // The content says where the message is.
  const sends: [User, ReturnType<typeof toChannel>][] = [
    [bob, toChannel(lobby.id, 'Lunch', 'lobby/lunch')],
    [bob, toChannel(lobby.id, '', 'lobby/')],
    [bob, toChannel(kitchen.id, 'LUNCH', 'kitchen/lunch')],
    [bob, toChannel(side.id, 'lunch', 'side/lunch')],
    [bob, toUsers([ann], 'bob')],
    [bob, toUsers([ann, eve], 'bob+eve')],
    [ann, toUsers([ann], 'self')],
    [bob, toUsers([eve], 'not for ann')],
  ];
  for (const [sender, request] of sends) await client.sendMessage(callerOf(sender), request);
});

afterAll(() => network.stop());

async function narrowed(...narrow: NarrowTerm[]): Promise<string[]> {
  const { messages } = await network.client.getMessages(callerOf(ann), getRequest({ narrow }));
  return messages.map(({ content }) => content);
}

const not = (narrowTerm: NarrowTerm): NarrowTerm => ({ ...narrowTerm, isNegated: true });
const all = ['lobby/lunch', 'lobby/', 'kitchen/lunch', 'bob', 'bob+eve', 'self'];
const without = (...left: string[]) => all.filter((content) => !left.includes(content));

test.each<[string, NarrowTerm[], string[]]>([
  ['nothing', [], all],
  ['a channel by name, in any casing', [term('channel', { text: 'LOBBY' })], ['lobby/lunch', 'lobby/']],
  ['a channel by id', [term('channel', { id: 1 })], ['lobby/lunch', 'lobby/']],
  ['a channel that the reader is not in, with its history', [term('channel', { text: 'side' })], ['side/lunch']],
  ['not a channel', [not(term('channel', { text: 'lobby' }))], without('lobby/lunch', 'lobby/')],
  ['two channels', [term('channel', { id: 1 }), term('channel', { id: 2 })], []],
  ['a topic of a channel', [term('channel', { id: 1 }), term('topic', { text: 'lunch' })], ['lobby/lunch']],
  ['a topic of any channel, received', [term('topic', { text: 'lunch' })], ['lobby/lunch', 'kitchen/lunch']],
  ['a topic that nobody wrote in', [term('topic', { text: 'supper' })], []],
  ['a topic with a character that none can have', [term('topic', { text: 'a\0' })], []],
  ['the empty topic', [term('topic', { text: '' })], ['lobby/']],
  ['the empty topic by its other name', [term('topic', { text: 'general chat' })], ['lobby/']],
  ['two topics', [term('topic', { text: 'lunch' }), term('topic', { text: '' })], []],
  ['not a topic', [not(term('topic', { text: 'lunch' }))], without('lobby/lunch', 'kitchen/lunch')],
  ['not a topic of a channel', [term('channel', { id: 1 }), not(term('topic', { text: 'lunch' }))], ['lobby/']],
  [
    'a topic but not of a channel',
    [not(term('channel', { id: 1 })), term('topic', { text: 'lunch' })],
    ['kitchen/lunch'],
  ],
  ['a direct conversation by address', [term('dm', { text: 'bob@example.com' })], ['bob']],
  ['a group by addresses', [term('dm', { text: 'BOB@example.com , eve@example.com' })], ['bob+eve']],
  ['a group by ids', [term('dm', { ids: [2, 3] })], ['bob+eve']],
  ['a group by ids, the reader among them', [term('dm', { ids: [1, 3, 2, 2] })], ['bob+eve']],
  ['by one id', [term('dm', { id: 2 })], ['bob']],
  ['the reader alone', [term('dm', { ids: [1] })], ['self']],
  ['nobody', [term('dm', { ids: [] })], []],
  ['people who never talked', [term('dm', { ids: [3] })], []],
  ['a former user', [term('dm', { text: 'gone@example.com' })], []],
  ['not a direct conversation', [not(term('dm', { ids: [2] }))], without('bob')],
  ['not one that never was', [not(term('dm', { ids: [3] }))], all],
])('%s', async (_, narrow, expected) => {
  expect(await narrowed(...narrow)).toEqual(expected);
});

const both = 'Invalid narrow operator: No message can be both a channel message and direct message';

test.each<[string, NarrowTerm[], string]>([
  ['an unknown operator', [term('colour', { text: 'red' })], 'Invalid narrow operator: unknown operator colour'],
  ['no channel by name', [term('channel', { text: 'Attic' })], 'Invalid narrow operator: unknown channel Attic'],
  ['no channel by id', [term('channel', { id: 99 })], 'Invalid narrow operator: unknown channel 99'],
  ['a channel that the reader does not know', [term('channel', { text: 'Secret' })], 'unknown channel Secret'],
  ['a number as text is a name', [term('channel', { text: '1' })], 'Invalid narrow operator: unknown channel 1'],
  ['nobody by address', [term('dm', { text: 'x@y' })], 'Invalid narrow operator: unknown user in x@y'],
  ['nobody by a null byte', [term('dm', { text: 'bob\0@example.com' })], 'unknown user in bob\0@example.com'],
  ['nobody by id', [term('dm', { ids: [2, 99] })], 'Invalid narrow operator: unknown user in [2, 99]'],
  ['nobody who sends', [term('sender', { text: 'x@y' })], 'Invalid narrow operator: unknown user x@y'],
  ['nobody who sends, by id', [term('sender', { id: 99 })], 'Invalid narrow operator: unknown user 99'],
  ['nobody who is included', [term('dm-including', { id: 99 })], 'Invalid narrow operator: unknown user 99'],
  ['nobody in groups', [term('group-pm-with', { text: 'x@y' })], 'Invalid narrow operator: unknown user x@y'],
  ['nobody who is mentioned', [term('mentions', { text: 'x@y' })], 'Invalid narrow operator: unknown user x@y'],
  ['channels of no kind', [term('channels', { text: 'all' })], 'Invalid narrow operator: unknown channels operand all'],
  ['having no such thing', [term('has', { text: 'x' })], "Invalid narrow operator: unknown 'has' operand x"],
  ['being no such thing', [term('is', { text: 'x' })], "Invalid narrow operator: unknown 'is' operand x"],
  ['being in no such place', [term('in', { text: 'x' })], "Invalid narrow operator: unknown 'in' operand x"],
  ['an id that is none', [term('id', { text: 'x' })], 'Invalid narrow operator: Invalid message ID'],
  ['an id beyond all', [term('id', { id: 2_147_483_648 })], 'Invalid narrow operator: Invalid message ID'],
  [
    'a message to follow that is none',
    [term('with', { text: 'x' })],
    "Invalid narrow operator: Invalid 'with' operator",
  ],
  [
    'two messages to follow',
    [term('with', { id: 1 }), term('with', { id: 1 })],
    "Invalid narrow operator combination: Duplicate 'with' operators.",
  ],
  ['channels and not any direct', [term('channels', { text: 'public' }), not(term('is', { text: 'dm' }))], both],
  ['channel and direct', [term('topic', { text: 'lunch' }), term('dm', { ids: [2] })], both],
  ['channel and not direct', [term('channel', { id: 1 }), not(term('dm', { ids: [2] }))], both],
])('%s is refused', async (_, narrow, expected) => {
  await expect(narrowed(...narrow)).rejects.toMatchObject({
    code: 'BAD_NARROW',
    message: expect.stringContaining(expected),
  });
});

test('more than fifty terms are refused', async () => {
  const terms = Array.from({ length: 51 }, () => term('topic', { text: 'x' }));
  await expect(narrowed(...terms)).rejects.toThrow('Too many narrow terms (maximum 50).');
});

test.each([
  ['many words', 'w '.repeat(200_000), 'The search is too long (limit: 1000 characters)'],
  ['many different words', Array.from({ length: 100_000 }, (_, index) => `w${index}`).join(' '), 'too long'],
  ['many phrases', Array.from({ length: 21 }, (_, index) => `"w${index}"`).join(' '), 'too many phrases (limit: 20)'],
])('a search of %s is refused', async (_, text, expected) => {
  await expect(narrowed(term('search', { text }))).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining(expected),
  });
});

test('search terms share the bound of a search', async () => {
  const terms = Array.from({ length: 2 }, () => term('search', { text: 'x'.repeat(500) }));
  await expect(narrowed(...terms)).rejects.toThrow('The search is too long (limit: 1000 characters)');
});

test('a phrase that is sought many times is one phrase', async () => {
  expect(await narrowed(term('search', { text: '"lobby/lunch" '.repeat(50) }))).toEqual(['lobby/lunch']);
});

describe('with', () => {
  const idOf = async (content: string) => {
    const [row] = await network.service.db.query<{ id: number }>('select id from message where content = $1', [
      content,
    ]);
    return row?.id as number;
  };

  test('follows a message to its current place, under any other terms', async () => {
    const followed = term('with', { id: await idOf('side/lunch') });
    expect(await narrowed(term('channel', { id: 1 }), term('topic', { text: 'old' }), followed)).toEqual([
      'side/lunch',
    ]);
    expect(await narrowed(term('with', { text: String(await idOf('bob+eve')) }))).toEqual(['bob+eve']);
    expect(await narrowed(followed, term('sender', { id: ann.id }))).toEqual([]);
  });

  test('leaves the narrow as it is when the message was deleted or is not readable', async () => {
    const gone = [term('with', { id: 9999 }), term('with', { id: await idOf('not for ann') })];
    for (const each of gone) {
      expect(await narrowed(term('channel', { id: 1 }), term('topic', { text: 'lunch' }), each)).toEqual([
        'lobby/lunch',
      ]);
    }
  });
});

test('an id names one message that was received', async () => {
  const [row] = await network.service.db.query<{ id: number }>(`select id from message where content = 'self'`);
  expect(await narrowed(term('id', { id: row?.id as number }))).toEqual(['self']);
});

import type { User } from '@parley/shared/proto';
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
let lobby: PeerChannel;

beforeAll(async () => {
  network = await startMessages();
  const { realm, client } = network;
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  lobby = realm.addChannel('Lobby');
  realm.subscribe(lobby, ann, bob);
  const sends = [
    toChannel(lobby.id, 'Release <2>', 'We are **running** the deploy & `tests`'),
    toChannel(lobby.id, 'Running shoes', 'who *runs*, and [running late](https://running.example/run)?'),
    toChannel(lobby.id, 'Other', 'Tom & Jerry <b>say</b> "to be or not"'),
    toUsers([ann], 'the run :running:'),
  ];
  for (const request of sends) await client.sendMessage(callerOf(bob), request);
});

afterAll(() => network.stop());

const highlighted = (text: string) => `<span class="highlight">${text}</span>`;

async function search(...texts: string[]) {
  const narrow = texts.map((text) => term('search', { text }));
  const { messages } = await network.client.getMessages(callerOf(ann), getRequest({ narrow }));
  return messages;
}

const found = async (...texts: string[]) => (await search(...texts)).map(({ topic }) => topic);

test.each<[string, string[], string[]]>([
  ['a word in any form, in the text or in the topic', ['Run'], ['Release <2>', 'Running shoes', '']],
  ['all words', ['deploy runs'], ['Release <2>']],
  ['one word in the text and one in the topic', ['release deploy'], ['Release <2>']],
  ['terms together', ['release', 'deploy'], ['Release <2>']],
  ['a phrase, letter by letter', ['"running the dep"'], []],
  ['a phrase of the source', ['"Tom & Jerry"'], ['Other']],
  ['a phrase of the topic', ['"running SHOES"'], ['Running shoes']],
  ['nothing but words without meaning', ['"to be or not"'], []],
  ['nothing that stands in a tag', ['highlight'], []],
])('finds %s', async (_, texts, topics) => {
  expect(await found(...texts)).toEqual(topics);
});

test('highlights matches in text and topic, never in tags', async () => {
  const [first, second, third] = await search('running');
  expect(first).toMatchObject({
    matchContent: `<p>We are <strong>${highlighted('running')}</strong> the deploy &amp; <code>tests</code></p>`,
    matchTopic: 'Release &lt;2&gt;',
  });
  expect(second).toMatchObject({
    matchContent: `<p>who <em>${highlighted('runs')}</em>, and <a href="https://running.example/run">${highlighted('running')} late</a>?</p>`,
    matchTopic: `${highlighted('Running')} shoes`,
  });
  expect(third?.matchTopic).toBe('');
  expect(third?.matchContent).toContain(`<p>the ${highlighted('run')} <`);
});

test('highlights phrases across entities, joined with the words in them', async () => {
  const [message] = await search('"Tom & Jerry"');
  expect(message?.matchContent).toBe(`<p>${highlighted('Tom &amp; Jerry')} &lt;b&gt;say&lt;/b&gt; "to be or not"</p>`);
});

test('a topic that was renamed is found by its new name', async () => {
  await network.service.db.query(
    `update topic set name = 'Sandals', name_key = 'sandals' where name_key = 'running shoes'`,
  );
  expect(await found('sandals')).toEqual(['Sandals']);
  expect(await found('shoes')).toEqual([]);
});

test('without a search nothing is highlighted', async () => {
  const { messages } = await network.client.getMessages(callerOf(ann), getRequest());
  expect(messages[0]).not.toHaveProperty('matchContent');
});

describe('which of some messages a narrow leaves', () => {
  const match = async (ids: number[], ...narrow: ReturnType<typeof term>[]) =>
    (await network.client.matchNarrow(callerOf(ann), { messageIds: ids, narrow })).matches;

  test('those of the caller, unknown ones left out', async () => {
    const matches = await match([1, 3, 4, 999], term('channel', { id: lobby.id }), term('search', { text: 'deploy' }));
    expect(matches).toEqual([
      {
        messageId: 1,
        matchContent: `<p>We are <strong>running</strong> the ${highlighted('deploy')} &amp; <code>tests</code></p>`,
        matchTopic: 'Release &lt;2&gt;',
      },
    ]);
  });

  test('without a search as well', async () => {
    expect(await match([1, 4], term('is', { text: 'dm' }))).toMatchObject([{ messageId: 4, matchTopic: '' }]);
  });

  test('not messages that they did not receive', async () => {
    const eve = network.realm.addUser('Eve');
    const request = { messageIds: [1], narrow: [term('channel', { id: lobby.id })] };
    expect(await network.client.matchNarrow(callerOf(eve), request)).toEqual({ matches: [] });
  });

  test('not more than can be fetched', async () => {
    await expect(match(Array.from({ length: 5001 }, (_, id) => id))).rejects.toThrow('Too many messages requested');
  });
});

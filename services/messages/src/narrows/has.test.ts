import type { User } from '@parley/shared/proto';
import { callerOf, getRequest, type MessagesUnderTest, startMessages, term, toUsers } from '../../test/start-messages';

let network: MessagesUnderTest;
let ann: User;

const CONTENTS = [
  'no more than :smile: and `<a href="https://x.example">`',
  'https://link.example',
  '[named](https://link.example)',
  '#**Lobby**',
  'from <a href="/user_uploads/1/2/a.txt"> typed text',
  '[a.txt](/user_uploads/1/2/a.txt)',
  '@**Ann** and @_**Bob**',
  '@_**Ann**',
  'deploy it',
  'redeploy it',
  '```\ndeploy\n```',
  '~~~ text\ndeploy\n',
  '```\nx\n```\nthen "Deploy!',
];

beforeAll(async () => {
  network = await startMessages();
  const { realm, client } = network;
  ann = realm.addUser('Ann');
  const bob = realm.addUser('Bob');
  realm.addChannel('Lobby');
  realm.alertWords.set(ann.id, [{ word: 'deploy', addedAtMs: 0 }]);
  for (const content of CONTENTS) await client.sendMessage(callerOf(bob), toUsers([ann], content));
});

afterAll(() => network.stop());

test.each<[string, ReturnType<typeof term>, number[]]>([
  ['links, which lead elsewhere', term('has', { text: 'link' }), [1, 2, 5]],
  ['attachments, not what looks like one', term('has', { text: 'attachment' }), [5]],
  ['images, not emoji', term('has', { text: 'image' }), []],
  ['who is mentioned by name, not silently', term('mentions', { text: 'ann@example.com' }), [6]],
  ['nobody who is mentioned silently', term('mentions', { id: 2 }), []],
  ['alert words, standing alone and not in code', term('is', { text: 'alerted' }), [8, 12]],
])('%s', async (_, each, expected) => {
  const { messages } = await network.client.getMessages(callerOf(ann), getRequest({ narrow: [each] }));
  expect(messages.map(({ content }) => CONTENTS.indexOf(content))).toEqual(expected);
});

test('messages with alert words have the flag', async () => {
  const { messages } = await network.client.getMessages(callerOf(ann), getRequest());
  const flagged = messages.filter(({ flags }) => flags.includes('has_alert_word'));
  expect(flagged.map(({ content }) => CONTENTS.indexOf(content))).toEqual([8, 12]);
});

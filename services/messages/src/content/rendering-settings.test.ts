import type { User } from '@parley/shared/proto';
import type { PeerChannel } from '../../test/realm-peer';
import { callerOf, getRequest, type MessagesUnderTest, startMessages, toChannel } from '../../test/start-messages';

let network: MessagesUnderTest;
let ann: User;
let bob: User;
let lobby: PeerChannel;

beforeAll(async () => {
  network = await startMessages();
  const { realm } = network;
  [ann, bob] = [realm.addUser('Ann'), realm.addUser('Bob')];
  lobby = realm.addChannel('Lobby');
  realm.subscribe(lobby, ann, bob);
  realm.settings.set(ann.id, { translate_emoticons: true });
  realm.customEmoji.push({ id: 5, realmId: 1, name: 'logo', fileName: 'abc.png', isDeactivated: false });
  const memberIds = [ann.id];
  realm.groups.push(
    { id: 41, name: 'role:members', isSystem: true, isDeactivated: false, memberIds, mayBeMentioned: false },
    { id: 42, name: 'former', isSystem: false, isDeactivated: true, memberIds, mayBeMentioned: true },
  );
});
afterAll(() => network.stop());

async function htmlOf(sender: User, content: string): Promise<string | undefined> {
  const { messageId } = await network.client.sendMessage(callerOf(sender), toChannel(lobby.id, 'x', content));
  const { messages } = await network.client.getMessages(callerOf(sender), getRequest({ messageIds: [messageId] }));
  return messages[0]?.renderedContent;
}

test('emoticons become emoji for senders with that setting', async () => {
  expect(await htmlOf(ann, ':)')).toContain('class="emoji emoji-1f642"');
  expect(await htmlOf(bob, ':)')).toBe('<p>:)</p>');
});

test('the organization’s own emoji are pictures', async () => {
  const picture = '<img alt=":logo:" class="emoji" src="/user_avatars/1/emoji/images/abc.png" title="logo">';
  expect(await htmlOf(bob, 'our :logo: :no_logo:')).toBe(`<p>our ${picture} :no_logo:</p>`);
});

test('code without a language is in the organization’s', async () => {
  expect(await htmlOf(bob, '```\nx\n```')).not.toContain('data-code-language');
  network.realm.realm.settings = JSON.stringify({ default_code_block_language: 'python' });
  expect(await htmlOf(bob, '```\nx\n```')).toContain('data-code-language="Python"');
  expect(await htmlOf(bob, '```js\nx\n```')).toContain('data-code-language="JavaScript"');
});

test('system groups and deactivated groups are shown by their display names, and do not notify', async () => {
  const html = await htmlOf(bob, '@*role:members* @*former*');
  expect(html).toBe(
    '<p><span class="user-group-mention silent" data-user-group-id="41">Members</span> ' +
      '<span class="user-group-mention silent" data-user-group-id="42">former</span></p>',
  );
});

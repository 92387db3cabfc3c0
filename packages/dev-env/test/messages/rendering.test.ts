import {
  createChannel,
  createProfileField,
  getChannel,
  getMessage,
  getServerSettings,
  getUser,
  sendMessage,
  setProfileValues,
  updateUserSettings,
} from '@parley/gateway/endpoints';
import { type TestClient, TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

async function rendered(client: TestClient, content: string): Promise<string> {
  const { id } = await client.call(sendMessage, { type: 'direct', to: [client.userId], content });
  return (await client.call(getMessage, { message_id: id })).message.content;
}

test('a link to the organization itself is relative', async () => {
  const { realm_url: url } = await network.dan.call(getServerSettings, {});
  const link = `${url}/#narrow/channel/1-general`;
  expect(await rendered(network.dan, `${link} [here](${link})`)).toBe(
    `<p><a href="#narrow/channel/1-general">${link}</a> <a href="#narrow/channel/1-general">here</a></p>`,
  );
});

test('emoticons become emoji for senders with that setting', async () => {
  const codes = async (client: TestClient) =>
    [...(await rendered(client, ':) (: :( <3 :| :/ ;) :D :o :O :p :P')).matchAll(/emoji-([0-9a-f]+)/g)].map(
      ([, code]) => code,
    );
  expect(await codes(network.dan)).toEqual([]);
  await network.dan.call(updateUserSettings, { translate_emoticons: true });
  expect(await codes(network.dan)).toEqual(
    '1f642 1f642 1f641 2764 1f610 1f615 1f609 1f600 1f62e 1f62e 1f61b 1f61b'.split(' '),
  );
  expect(await codes(network.eve)).toEqual([]);
});

test('code is highlighted and invalid formulas are marked, each separately', async () => {
  expect(await rendered(network.dan, '```php\necho $a;\n```')).toContain('<span class="nv">$a</span>');
  for (const language of ['tex', 'latex']) {
    expect(await rendered(network.dan, `\`\`\`${language}\n\\frac{a}{b}\n\`\`\``)).toContain(
      '<span class="nt">\\frac</span>',
    );
  }
  expect(await rendered(network.dan, 'a $$\\nope$$ b\n\n```math\n\\nope\n```')).toBe(
    '<p>a <span class="tex-error">$$\\nope$$</span> b</p>\n<p><span class="tex-error">\\nope</span></p>',
  );
});

test('descriptions and profiles are Markdown', async () => {
  const { iris, dan } = network;
  const about = { name: 'kitchen', description: 'About **food** :cake: at example.com', subscribers: [dan.userId] };
  const { id } = await dan.call(createChannel, about);
  expect((await dan.call(getChannel, { stream_id: id })).stream.rendered_description).toBe(
    '<p>About <strong>food</strong> <span aria-label="cake" class="emoji emoji-1f370" role="img" title="cake">:cake:</span> ' +
      'at <a href="http://example.com">example.com</a></p>',
  );
  const field = await iris.call(createProfileField, { field_type: 2, name: 'Biography' });
  await dan.call(setProfileValues, { data: [{ id: field.id, value: '* *one*\n* two' }] });
  const { user } = await dan.call(getUser, { user_id: dan.userId, include_custom_profile_fields: true });
  expect(user.profile_data?.[field.id]?.rendered_value).toBe('<ul>\n<li><em>one</em></li>\n<li>two</li>\n</ul>');
});

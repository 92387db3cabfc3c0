import { callerOf, type MessagesUnderTest, startMessages } from '../../test/start-messages';

let network: MessagesUnderTest;

beforeAll(async () => {
  network = await startMessages();
});

afterAll(() => network.stop());

test('content is shown as a message would be', async () => {
  const ann = network.realm.addUser('Ann');
  const render = async (content: string) => (await network.client.renderContent(callerOf(ann), { content })).rendered;
  expect(await render('**Hi** @**Ann**')).toBe(
    `<p><strong>Hi</strong> <span class="user-mention" data-user-id="${ann.id}">@Ann</span></p>`,
  );
  expect(await render('')).toBe('');
  expect((await render('x'.repeat(12_000))).length).toBeGreaterThan(12_000);
});

test('references are resolved as for a message, and nothing is stored or announced', async () => {
  const { realm, service } = network;
  const bob = realm.addUser('Bob');
  const lobby = realm.addChannel('Lobby');
  const { rendered } = await network.client.renderContent(callerOf(bob), {
    content: `@_**Bob|${bob.id}** #**Lobby** #**Lobby>x** @**Nobody**`,
  });
  expect(rendered).toBe(
    `<p><span class="user-mention silent" data-user-id="${bob.id}">Bob</span> ` +
      `<a class="stream" data-stream-id="${lobby.id}" href="/#narrow/channel/${lobby.id}-Lobby">#Lobby</a> ` +
      `<a class="stream-topic" data-stream-id="${lobby.id}" href="/#narrow/channel/${lobby.id}-Lobby/topic/x">#Lobby &gt; x</a> ` +
      '@<strong>Nobody</strong></p>',
  );
  expect(await service.db.query('select 1 from message union all select 1 from outbox')).toEqual([]);
});

test('content that would take too long is refused', async () => {
  const ann = network.realm.addUser('Ann');
  const request = network.client.renderContent(callerOf(ann), { content: '[a](b) '.repeat(100_000) });
  await expect(request).rejects.toMatchObject({ message: 'Unable to render message', httpStatus: 400 });
});

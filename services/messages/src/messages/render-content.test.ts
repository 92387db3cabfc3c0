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

import {
  createBot,
  createGroup,
  deactivateBot,
  editMessage,
  getBotApiKey,
  getMessages,
  getOwnUser,
  listOwnBots,
  regenerateBotApiKey,
  sendMessage,
  subscribe,
  updateBot,
} from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

test('a bot lives: made, used, changed, given a new key, taken out of use', async () => {
  const { dan, eve, iris, robo } = network;
  const [owners, others, administrators] = [await dan.events(), await eve.events(), await iris.events()];
  const made = await dan.call(createBot, { full_name: 'Robbie', short_name: 'robbie' });
  const { bots } = await dan.call(listOwnBots, {});
  expect(bots).toMatchObject([{ api_key: robo.apiKey }, { full_name: 'Robbie', api_key: made.api_key }]);
  const account = { realmId: dan.realmId, userId: made.user_id, email: bots[1]?.username as string };
  const robbie = network.clientOf({ ...account, apiKey: made.api_key });
  expect(await robbie.call(getOwnUser, {})).toMatchObject({ user_id: made.user_id, is_bot: true });
  await robbie.call(sendMessage, { type: 'direct', to: [dan.userId], content: 'Hello' });
  expect(await dan.call(getBotApiKey, { bot_id: made.user_id })).toEqual({ api_key: made.api_key });

  await dan.call(updateBot, { bot_id: made.user_id, full_name: 'Marvin', default_all_public_streams: true });
  const { api_key: newKey } = await dan.call(regenerateBotApiKey, { bot_id: made.user_id });
  await robbie.expectError('UNAUTHORIZED', getOwnUser, {});
  const marvin = network.clientOf({ ...account, apiKey: newKey });
  await marvin.call(getOwnUser, {});
  await dan.call(deactivateBot, { bot_id: made.user_id });
  await marvin.expectError('USER_DEACTIVATED', getOwnUser, {});
  await network.settle();

  const kinds = async (queue: typeof owners) => {
    const events = (await queue.rest()) as { type: string; op?: string; bot?: object }[];
    return events.filter(({ type }) => type === 'realm_bot').map(({ op, bot }) => [op, bot]);
  };
  const botEvents = [
    ['add', expect.objectContaining({ user_id: made.user_id, full_name: 'Robbie' })],
    ['update', { user_id: made.user_id, full_name: 'Marvin' }],
    // Other initials, so another picture.
    ['update', { user_id: made.user_id, avatar_url: expect.stringContaining('/M.svg') }],
    ['update', { user_id: made.user_id, default_all_public_streams: true }],
    ['update', { user_id: made.user_id, is_active: false }],
  ];
  expect(await kinds(owners)).toEqual(botEvents);
  expect(await kinds(administrators)).toEqual(botEvents);
  expect(await kinds(others)).toEqual([]);
});

test('a bot gets messages that mention it, and no others, of a public channel to which it is not subscribed', async () => {
  const { dan, robo } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'ideas' }] });
  const events = await robo.events({ event_types: ['message'] });
  const toIdeas = { type: 'channel', to: 'ideas', topic: 'plans' } as const;
  await dan.call(sendMessage, { ...toIdeas, content: 'not for bots' });
  const { id } = await dan.call(sendMessage, { ...toIdeas, content: '@**Robo** note this' });
  // A bot gets nothing from a private channel that it cannot access.
  await dan.call(sendMessage, { ...toIdeas, to: 'leads', content: '@**Robo** not this' });
  await network.settle();
  expect(await events.rest()).toMatchObject([{ message: { id }, flags: ['read', 'mentioned'] }]);
});

test('a bot is mentioned through a group, or by an edit, as it is by its name', async () => {
  const { dan, robo } = network;
  await dan.call(createGroup, { name: 'robots', description: '', members: [robo.userId] });
  const events = await robo.events({ event_types: ['message', 'update_message'] });
  const toHints = { type: 'channel', to: 'hints', topic: 'plans' } as const;
  await dan.call(subscribe, { subscriptions: [{ name: 'hints' }] });
  const { id: toGroup } = await dan.call(sendMessage, { ...toHints, content: '@*robots* note this' });
  await dan.call(sendMessage, { ...toHints, content: '@_*robots* not this' });
  const { id: edited } = await dan.call(sendMessage, { ...toHints, content: 'note this' });
  const { id: editedForGroup } = await dan.call(sendMessage, { ...toHints, content: 'note that' });
  await network.settle();
  expect(await events.rest()).toMatchObject([{ message: { id: toGroup }, flags: ['read', 'mentioned'] }]);

  await dan.call(editMessage, { message_id: edited, content: '@**Robo** note this' });
  await dan.call(editMessage, { message_id: editedForGroup, content: '@*robots* note that', topic: 'thoughts' });
  await network.settle();
  const flags = ['read', 'mentioned'];
  expect(await events.rest()).toMatchObject([
    { type: 'update_message', message_id: edited, flags },
    { type: 'update_message', message_id: editedForGroup, flags },
  ]);
  const mentions = async () => {
    const narrow = [
      { operator: 'is', operand: 'mentioned' },
      { operator: 'channel', operand: 'hints' },
    ];
    const query = { anchor: 'newest', num_before: 10, num_after: 0, narrow } as const;
    return (await robo.call(getMessages, query)).messages;
  };
  const ids = [toGroup, edited, editedForGroup];
  expect(await mentions()).toMatchObject(ids.map((id) => ({ id, flags })));

  await dan.call(editMessage, { message_id: edited, content: 'not for bots' });
  await network.settle();
  expect(await events.rest()).toMatchObject([{ message_id: edited, flags: ['read'] }]);
  expect(await mentions()).toMatchObject([toGroup, editedForGroup].map((id) => ({ id })));
});

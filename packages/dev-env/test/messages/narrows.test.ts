import {
  addReaction,
  editMessage,
  getMessages,
  listTopics,
  matchNarrow,
  sendMessage,
  subscribe,
} from '@parley/gateway/endpoints';
import { TestNetwork } from '../../src';

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create();
});
afterAll(() => network.stop());

test('messages are found by words and by state, also after a rename of their topic', async () => {
  const { dan, eve } = network;
  await dan.call(subscribe, { subscriptions: [{ name: 'kitchen' }], principals: [dan.userId, eve.userId] });
  const say = async (topic: string, content: string) =>
    (await dan.call(sendMessage, { type: 'channel', to: 'kitchen', topic, content })).id;
  const soup = await say('lunch', 'We are **cooking** soup, see https://soup.example');
  const tea = await say('breaks', 'tea?');
  await eve.call(addReaction, { message_id: soup, emoji_name: 'smile' });
  const find = async (...narrow: { operator: string; operand: string | number }[]) => {
    const found = await eve.call(getMessages, { anchor: 'newest', num_before: 10, narrow });
    return found.messages.filter(({ sender_id }) => sender_id === dan.userId);
  };
  const [found] = await find({ operator: 'search', operand: 'cook lunches' });
  expect(found).toMatchObject({ id: soup, match_subject: '<span class="highlight">lunch</span>' });
  expect(found?.match_content).toContain('<strong><span class="highlight">cooking</span></strong>');

  await dan.call(editMessage, { message_id: soup, topic: 'dinner', propagate_mode: 'change_all' });
  expect(await find({ operator: 'search', operand: 'cook lunches' })).toEqual([]);
  expect(await find({ operator: 'search', operand: 'dinner soup' })).toMatchObject([{ id: soup }]);
  expect(await find({ operator: 'has', operand: 'reaction' })).toMatchObject([{ id: soup }]);
  expect(await find({ operator: 'has', operand: 'link' })).toMatchObject([{ id: soup }]);
  expect(await find({ operator: 'with', operand: tea })).toMatchObject([{ id: tea }]);
  const { messages } = await eve.call(matchNarrow, { msg_ids: [soup, tea], narrow: [['search', 'soup']] });
  expect(Object.keys(messages)).toEqual([String(soup)]);

  const channelId = (await find({ operator: 'id', operand: tea }))[0]?.stream_id as number;
  const { topics } = await eve.call(listTopics, { stream_id: channelId });
  expect(topics.map(({ name }) => name)).toEqual(expect.arrayContaining(['dinner', 'breaks']));
  expect(topics.map(({ name }) => name)).not.toContain('lunch');
});

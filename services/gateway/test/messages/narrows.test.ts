import { getMessages, listTopics, matchNarrow, renderContent } from '../../src/endpoints';
import { eg } from '../eg';
import { startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

test('GET /messages shows matches of a search', async () => {
  const message = eg.message({ matchContent: '<p><span class="highlight">Hello</span></p>', matchTopic: 'lunch' });
  const answer = {
    messages: [message],
    messagesJson: [],
    anchor: 501,
    foundAnchor: true,
    foundOldest: true,
    foundNewest: true,
  };
  gateway.messages.answers.getMessages = async () => answer;
  const { json } = await gateway.call(getMessages, {
    anchor: 'date',
    anchor_date: '2026-03-01',
    narrow: [['search', 'hello']],
  });
  expect(gateway.messages.last('getMessages')).toMatchObject({
    anchorKind: 'date',
    anchorDateMs: Date.UTC(2026, 2, 1),
  });
  expect(json.messages[0]).toMatchObject({
    match_content: '<p><span class="highlight">Hello</span></p>',
    match_subject: 'lunch',
  });
});

test.each([
  [false, 'general chat'],
  [true, ''],
])('matches in the empty topic, for clients that understand it: %p', async (allow_empty_topic_name, match_subject) => {
  const messages = [eg.message({ topic: '', matchContent: '<p>Hello</p>', matchTopic: '' })];
  const found = { messagesJson: [], foundAnchor: true, foundOldest: true, foundNewest: true };
  gateway.messages.answers.getMessages = async () => ({ messages, anchor: 501, ...found });
  const { json } = await gateway.call(getMessages, {
    anchor: 'newest',
    narrow: [['search', 'hello']],
    allow_empty_topic_name,
  });
  expect(json.messages[0]).toMatchObject({ subject: match_subject, match_subject });
});

test('GET /messages/matches_narrow', async () => {
  gateway.messages.answers.matchNarrow = async () => ({
    matches: [{ messageId: 501, matchContent: '<p>Hello</p>', matchTopic: 'lunch' }],
  });
  const { json } = await gateway.call(matchNarrow, { msg_ids: [501, 502], narrow: [['is', 'dm']] });
  expect(gateway.messages.last('matchNarrow')).toMatchObject({
    messageIds: [501, 502],
    narrow: [{ operator: 'is', text: 'dm' }],
  });
  expect(json).toMatchObject({ messages: { 501: { match_content: '<p>Hello</p>', match_subject: 'lunch' } } });
});

test('GET /messages/matches_narrow needs both of its parameters', async () => {
  const asked = await gateway.request({ method: 'GET', path: '/api/v1/messages/matches_narrow?msg_ids=[1]' });
  expect(asked.json).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', msg: "Missing 'narrow' argument" });
});

test('GET /users/me/{stream_id}/topics', async () => {
  gateway.messages.answers.listTopics = async () => ({
    topics: [
      { name: '', maxMessageId: 7 },
      { name: 'lunch', maxMessageId: 5 },
    ],
  });
  const shown = async (allow: boolean) =>
    (await gateway.call(listTopics, { stream_id: 3, allow_empty_topic_name: allow })).json;
  expect(await shown(false)).toMatchObject({
    topics: [
      { name: 'general chat', max_id: 7 },
      { name: 'lunch', max_id: 5 },
    ],
  });
  expect(await shown(true)).toMatchObject({
    topics: [
      { name: '', max_id: 7 },
      { name: 'lunch', max_id: 5 },
    ],
  });
  expect(gateway.messages.last('listTopics')).toEqual({ channelId: 3 });
});

test('POST /messages/render', async () => {
  gateway.messages.answers.renderContent = async (_call, { content }) => ({ rendered: `<p>${content}</p>` });
  expect((await gateway.call(renderContent, { content: 'Hi' })).json).toMatchObject({ rendered: '<p>Hi</p>' });
});

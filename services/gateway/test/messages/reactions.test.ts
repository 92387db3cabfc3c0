import { addReaction, addSubmessage, getMessage, removeReaction } from '../../src/endpoints';
import { eg } from '../eg';
import { formBody, startGateway, type TestGateway } from '../gateway';

const SUCCESS = { result: 'success', msg: '' };

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  const { answers } = gateway.messages;
  for (const method of ['addReaction', 'removeReaction', 'addSubmessage'] as const) answers[method] = async () => ({});
});
afterAll(() => gateway.stop());

const send = (method: 'POST' | 'DELETE', path: string, form: Record<string, string>) =>
  gateway.request({ method, path: `/api/v1${path}`, ...formBody(form) });

describe('POST /messages/{message_id}/reactions', () => {
  const asked = () => gateway.messages.last('addReaction');

  test('names an emoji, and its code where the client knows it', async () => {
    expect((await gateway.call(addReaction, { message_id: 501, emoji_name: 'smile' })).json).toEqual(SUCCESS);
    expect(asked()).toEqual({ messageId: 501, emojiName: 'smile' });
    await send('POST', '/messages/501/reactions', {
      emoji_name: 'party',
      emoji_code: '5',
      reaction_type: 'realm_emoji',
    });
    expect(asked()).toEqual({ messageId: 501, emojiName: 'party', emojiCode: '5', reactionType: 'realm_emoji' });
  });

  test('needs the name', async () => {
    const answer = await send('POST', '/messages/501/reactions', { emoji_code: '1f642' });
    expect(answer.json).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'emoji_name' });
  });
});

test('DELETE /messages/{message_id}/reactions removes a Unicode emoji by default', async () => {
  await gateway.call(removeReaction, { message_id: 501, emoji_code: '1f642' });
  expect(gateway.messages.last('removeReaction')).toEqual({
    messageId: 501,
    emojiCode: '1f642',
    reactionType: 'unicode_emoji',
  });
});

test('POST /submessage passes its content on', async () => {
  await gateway.call(addSubmessage, { message_id: 501, msg_type: 'widget', content: '{}' });
  expect(gateway.messages.last('addSubmessage')).toEqual({ messageId: 501, msgType: 'widget', content: '{}' });
  const answer = await send('POST', '/submessage', { message_id: 'x', msg_type: 'widget', content: '{}' });
  expect(answer.json.msg).toBe('message_id is not valid JSON');
});

test('a message has its reactions and submessages', async () => {
  gateway.messages.answers.getMessage = async () =>
    eg.message({
      reactions: [{ userId: 12, emojiName: 'smile', emojiCode: '1f642', reactionType: 'unicode_emoji' }],
      submessages: [{ id: 3, messageId: 501, senderId: 12, msgType: 'widget', content: '{}' }],
    });
  expect((await gateway.call(getMessage, { message_id: 501 })).json.message).toMatchObject({
    reactions: [{ emoji_name: 'smile', emoji_code: '1f642', reaction_type: 'unicode_emoji', user_id: 12 }],
    submessages: [{ id: 3, message_id: 501, sender_id: 12, msg_type: 'widget', content: '{}' }],
  });
});

import { BadRequestError, ExpectationMismatchError, MoveMessagesTimeLimitExceededError } from '@parley/shared/errors';
import { deleteMessage, deleteTopic, editMessage, getMessageHistory } from '../../src/endpoints';
import { formBody, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({});
});
afterAll(() => gateway.stop());

const edited = () => gateway.messages.last('editMessage');

async function patch(form: Record<string, string>) {
  return gateway.request({ method: 'PATCH', path: '/api/v1/messages/501', ...formBody(form) });
}

describe('PATCH /messages/{message_id}', () => {
  beforeEach(() => {
    gateway.messages.answers.editMessage = async () => ({ detachedUploads: [] });
  });

  test('passes the changes on, with defaults for omitted fields', async () => {
    const answer = await gateway.call(editMessage, { message_id: 501, content: 'new' });
    expect(answer.json).toEqual({ result: 'success', msg: '', detached_uploads: [] });
    expect(edited()).toEqual({
      messageId: 501,
      content: 'new',
      propagateMode: 'change_one',
      tellsOldTopic: false,
      tellsNewTopic: true,
    });
    await gateway.call(editMessage, {
      message_id: 501,
      topic: '',
      stream_id: 7,
      propagate_mode: 'change_all',
      send_notification_to_old_thread: true,
      send_notification_to_new_thread: false,
      prev_content_sha256: 'abc',
    });
    expect(edited()).toEqual({
      messageId: 501,
      topic: '',
      channelId: 7,
      propagateMode: 'change_all',
      tellsOldTopic: true,
      tellsNewTopic: false,
      prevContentSha256: 'abc',
    });
  });

  test('takes the topic under its old name', async () => {
    await patch({ subject: 'lunch' });
    expect(edited()).toMatchObject({ topic: 'lunch' });
  });

  test.each([
    [{ propagate_mode: 'change_some', topic: 'x' }, 'Invalid propagate_mode'],
    [{ stream_id: 'general' }, 'stream_id is not valid JSON'],
    [{ stream_id: '-1' }, 'stream_id is too small'],
  ])('refuses %j', async (form, msg) => {
    expect((await patch(form)).json).toMatchObject({ code: 'BAD_REQUEST', msg });
  });

  test('lists files without any link left', async () => {
    const upload = { id: 3, name: 'a.png', pathId: '2/ab/a.png', size: 5, createdAtMs: 7_000, messages: [] };
    gateway.messages.answers.editMessage = async () => ({ detachedUploads: [upload] });
    const { json } = await gateway.call(editMessage, { message_id: 501, content: 'x' });
    expect(json).toMatchObject({
      detached_uploads: [{ id: 3, name: 'a.png', path_id: '2/ab/a.png', size: 5, create_time: 7, messages: [] }],
    });
  });

  test.each([
    [
      new MoveMessagesTimeLimitExceededError(502, 2, 3),
      {
        code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
        msg: 'You only have permission to move the 2/3 most recent messages in this topic.',
        first_message_id_allowed_to_move: 502,
        total_messages_allowed_to_move: 2,
        total_messages_in_topic: 3,
      },
    ],
    [
      new MoveMessagesTimeLimitExceededError(null, 0, 3),
      { first_message_id_allowed_to_move: null, total_messages_allowed_to_move: 0 },
    ],
    [
      new ExpectationMismatchError('prev_content_sha256'),
      { code: 'EXPECTATION_MISMATCH', msg: "'prev_content_sha256' value does not match the expected value." },
    ],
  ])('answers refusals of messages', async (error, json) => {
    gateway.messages.answers.editMessage = () => Promise.reject(error);
    const answer = await patch({ topic: 'x' });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ result: 'error', ...json });
  });
});

test('GET /messages/{message_id}/history shows the empty topic as the client requests it', async () => {
  const first = { userId: 11, editedAtMs: 5_000, topic: 'lunch', content: 'a', renderedContent: '<p>a</p>' };
  const second = {
    userId: 12,
    editedAtMs: 6_000,
    topic: '',
    prevTopic: 'lunch',
    prevChannelId: 7,
    channelId: 8,
    content: 'b',
    renderedContent: '<p>b</p>',
    prevContent: 'a',
    prevRenderedContent: '<p>a</p>',
    contentHtmlDiff: '<div></div>',
  };
  gateway.messages.answers.getMessageHistory = async () => ({ snapshots: [first, second], isDirect: false });
  const { json } = await gateway.call(getMessageHistory, { message_id: 501 });
  expect(json).toMatchObject({
    message_history: [
      { user_id: 11, timestamp: 5, topic: 'lunch', content: 'a', rendered_content: '<p>a</p>' },
      {
        user_id: 12,
        timestamp: 6,
        topic: 'general chat',
        prev_topic: 'lunch',
        prev_stream: 7,
        stream: 8,
        prev_content: 'a',
        prev_rendered_content: '<p>a</p>',
        content_html_diff: '<div></div>',
      },
    ],
  });
  const understood = await gateway.call(getMessageHistory, { message_id: 501, allow_empty_topic_name: true });
  expect(understood.json).toMatchObject({ message_history: [{}, { topic: '' }] });
  gateway.messages.answers.getMessageHistory = async () => ({ snapshots: [second], isDirect: true });
  expect((await gateway.call(getMessageHistory, { message_id: 501 })).json).toMatchObject({
    message_history: [{ topic: '' }],
  });
});

test('DELETE /messages/{message_id} deletes', async () => {
  gateway.messages.answers.deleteMessage = async () => ({});
  expect((await gateway.call(deleteMessage, { message_id: 501 })).json).toEqual({ result: 'success', msg: '' });
  expect(gateway.messages.last('deleteMessage')).toEqual({ messageId: 501 });
  gateway.messages.answers.deleteMessage = () => Promise.reject(new BadRequestError('Message already deleted'));
  expect((await gateway.call(deleteMessage, { message_id: 501 })).json).toMatchObject({
    msg: 'Message already deleted',
  });
});

test('POST /streams/{stream_id}/delete_topic answers whether it is complete', async () => {
  gateway.messages.answers.deleteTopic = async () => ({ isComplete: false });
  const { json } = await gateway.call(deleteTopic, { stream_id: 7, topic_name: 'lunch' });
  expect(json).toEqual({ result: 'success', msg: '', complete: false });
  expect(gateway.messages.last('deleteTopic')).toEqual({ channelId: 7, topic: 'lunch' });
});

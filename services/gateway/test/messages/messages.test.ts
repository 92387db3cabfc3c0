import { BadNarrowError, StreamDoesNotExistError } from '@parley/shared/errors';
import { LIMITS } from '@parley/shared/values';
import { foundMessage } from '@parley/shared/wire';
import { getMessage, getMessages, sendMessage } from '../../src/endpoints';
import { eg } from '../eg';
import { formBody, startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ API_BRANDS: ['service', 'acme'] });
});
afterAll(() => gateway.stop());

const send = (form: Record<string, string>, headers: Record<string, string> = {}) => {
  const { body, headers: type } = formBody(form);
  const given = { ...type, ...headers };
  return gateway.request({ method: 'POST', path: '/api/v1/messages', body: body as string, headers: given });
};
const channelForm = { type: 'channel', to: '7', topic: 'lunch', content: 'Hello' };
const sent = () => gateway.messages.last('sendMessage');

describe('POST /messages', () => {
  test('sends to a channel', async () => {
    const answer = await gateway.call(sendMessage, {
      type: 'stream',
      to: 'social',
      topic: 'lunch',
      content: ' Hello ',
    });
    expect(answer.json).toEqual({ result: 'success', msg: '', id: 501 });
    expect(sent()).toEqual({
      isDirect: false,
      channelName: 'social',
      recipientIds: [],
      recipientEmails: [],
      topic: 'lunch',
      content: ' Hello ',
      isReadBySender: false,
      clientName: 'Unspecified',
      // A generated one.
      idempotencyKey: expect.stringMatching(/^gateway:[0-9a-f-]{36}$/),
    });
  });

  test('sends to users, by id or by address, under either name of the type', async () => {
    await gateway.call(sendMessage, { type: 'direct', to: [9, 10], content: 'Hi' });
    expect(sent()).toMatchObject({ isDirect: true, recipientIds: [9, 10], recipientEmails: [] });
    await gateway.call(sendMessage, { type: 'private', to: ['a@x'], content: 'Hi' });
    expect(sent()).toMatchObject({ isDirect: true, recipientIds: [], recipientEmails: ['a@x'] });
  });

  test('takes the topic by its old name, and an empty topic is not a missing one', async () => {
    await send({ type: 'channel', to: '7', subject: 'lunch', content: 'c' });
    expect(sent()).toMatchObject({ topic: 'lunch' });
    await send({ type: 'channel', to: '7', topic: '', content: 'c' });
    expect(sent()).toMatchObject({ topic: '' });
    await send({ type: 'channel', to: '7', content: 'c' });
    expect(sent()).not.toHaveProperty('topic');
    await send({ type: 'channel', topic: 't', content: 'c', widget_content: '{}' });
    expect(sent()).toMatchObject({ isDirect: false, topic: 't', widgetContent: '{}' });
    expect(Object.keys(sent())).not.toContain('channelId');
  });

  test('passes on the keys for repeated requests, and the local echo', async () => {
    await send({ ...channelForm, queue_id: 'q1', local_id: '17.01' }, { 'Idempotency-Key': 'once' });
    expect(sent()).toMatchObject({ queueId: 'q1', localId: '17.01', idempotencyKey: 'once' });
  });

  test.each([
    ['read_by_sender says so', { read_by_sender: 'true' }, 'curl/8', true],
    ['read_by_sender says no', { read_by_sender: 'false' }, 'AcmeMobile/27', false],
    ['somebody sits in front of the client', {}, 'AcmeMobile/27', true],
    ['a script sends', {}, 'python-requests/2', false],
  ])('starts as read for the sender or not: %s', async (_case, form, userAgent, isReadBySender) => {
    await send({ ...channelForm, ...form }, { 'User-Agent': userAgent });
    expect(sent()).toMatchObject({ isReadBySender, clientName: userAgent.split('/')[0] });
  });

  test('answers the visibility policy that the send has set', async () => {
    gateway.messages.answers.sendMessage = async () => ({ messageId: 502, automaticNewVisibilityPolicy: 3 });
    expect((await send(channelForm)).json).toMatchObject({ id: 502, automatic_new_visibility_policy: 3 });
    gateway.messages.answers.sendMessage = async () => ({ messageId: 501 });
  });

  test.each([
    [{ to: '7', topic: 't', content: 'c' }, 'REQUEST_VARIABLE_MISSING', "Missing 'type' argument"],
    [{ ...channelForm, type: 'group' }, 'BAD_REQUEST', 'Invalid type'],
    [{ type: 'channel', to: '7', topic: 't' }, 'REQUEST_VARIABLE_MISSING', "Missing 'content' argument"],
    [{ ...channelForm, subject: 's' }, 'REQUEST_CONFUSING_VAR', "Can't decide between 'topic' and 'subject' arguments"],
    [{ ...channelForm, read_by_sender: '1' }, 'BAD_REQUEST', 'read_by_sender is not a boolean'],
    [{ ...channelForm, queue_id: 'q1' }, 'REQUEST_VARIABLE_MISSING', "Missing 'local_id' argument"],
    [{ ...channelForm, sender: 'a@x' }, 'BAD_REQUEST', 'Invalid mirrored message'],
    [{ ...channelForm, sender: 'a@x', forged: 'yes' }, 'BAD_REQUEST', 'User not authorized for this query'],
    [{ ...channelForm, forged: 'true', time: '1.5' }, 'BAD_REQUEST', 'User not authorized for this query'],
    [{ ...channelForm, local_id: 'x'.repeat(201) }, 'BAD_REQUEST', 'local_id is too long (limit: 200 characters)'],
  ])('refuses %j', async (form, code, msg) => {
    expect(await send(form)).toMatchObject({ status: 400, json: { result: 'error', code, msg } });
  });

  test('refuses a key that is empty or too long', async () => {
    for (const key of ['', 'x'.repeat(201)]) {
      const answer = await send(channelForm, { 'Idempotency-Key': key });
      expect(answer.json).toMatchObject({ code: 'BAD_REQUEST', msg: 'Idempotency-Key must have 1 to 200 characters' });
    }
  });

  test('answers refusals of messages', async () => {
    gateway.messages.answers.sendMessage = async () => {
      throw new StreamDoesNotExistError({ stream: 'nowhere' });
    };
    expect((await send(channelForm)).json).toEqual({
      result: 'error',
      code: 'STREAM_DOES_NOT_EXIST',
      msg: "Channel 'nowhere' does not exist",
      stream: 'nowhere',
    });
    gateway.messages.answers.sendMessage = async () => ({ messageId: 501 });
  });
});

describe('GET /messages', () => {
  const asked = () => gateway.messages.last('getMessages');

  test('fetches around an anchor', async () => {
    const answer = await gateway.call(getMessages, {
      anchor: '501',
      num_before: 2,
      num_after: 3,
      narrow: [['stream', 'social'], { operator: 'dm', operand: [9], negated: true }],
    });
    expect(asked()).toEqual({
      anchor: 501,
      numBefore: 2,
      numAfter: 3,
      includeAnchor: true,
      messageIds: [],
      narrow: [
        { operator: 'channel', isNegated: false, text: 'social', ids: [], isList: false },
        { operator: 'dm', isNegated: true, ids: [9], isList: true },
      ],
      view: { applyMarkdown: true, clientGravatar: true, isEmptyTopicUnderstood: false },
    });
    expect(answer.json).toMatchObject({
      result: 'success',
      anchor: 501,
      found_anchor: true,
      found_oldest: false,
      found_newest: true,
      history_limited: false,
    });
  });

  test("shows a message with its reader's flags", async () => {
    const { json } = await gateway.call(getMessages, { anchor: 'newest' });
    expect(json.messages).toEqual([
      {
        id: 501,
        type: 'stream',
        stream_id: 7,
        display_recipient: 'social',
        subject: 'lunch',
        recipient_id: 70,
        content: '<p>Hello <em>you</em></p>',
        content_type: 'text/html',
        sender_id: 11,
        sender_email: 'iago@acme.example',
        sender_full_name: 'Iago',
        sender_realm_str: '',
        avatar_url: null,
        client: 'website',
        timestamp: 1_700_000_002,
        is_me_message: false,
        flags: ['read'],
        reactions: [],
        submessages: [],
        topic_links: [],
      },
    ]);
  });

  test('shows it in the form that the client requests', async () => {
    const message = eg.message({ topic: '' });
    gateway.messages.answers.getMessages = async () => ({
      messages: [message],
      messagesJson: [],
      anchor: 501,
      foundAnchor: true,
      foundOldest: true,
      foundNewest: true,
    });
    const plain = await gateway.call(getMessages, { anchor: 'newest', apply_markdown: false, client_gravatar: false });
    expect(plain.json.messages[0]).toMatchObject({
      content: 'Hello *you*',
      content_type: 'text/x-markdown',
      subject: 'general chat',
      avatar_url: expect.stringContaining('/static/pictures/'),
    });
    const modern = await gateway.call(getMessages, { anchor: 'newest', allow_empty_topic_name: true });
    expect(modern.json.messages[0].subject).toBe('');
  });

  test('passes on the JSON of the messages service', async () => {
    const view = { applyMarkdown: false, clientGravatar: true, isEmptyTopicUnderstood: false };
    const json = JSON.stringify([foundMessage(eg.message(), view)]);
    const pieces = [json.slice(0, 40), json.slice(40)].map((piece) => Buffer.from(piece));
    gateway.messages.answers.getMessages = async () => ({
      messages: [],
      messagesJson: pieces,
      anchor: 501,
      foundAnchor: true,
      foundOldest: true,
      foundNewest: true,
    });
    const { text } = await gateway.call(getMessages, { anchor: 'newest', apply_markdown: false });
    expect(text).toContain(`"messages":${json}`);
    expect(asked()).toMatchObject({ view });
  });

  test('writes the anchor beyond all messages in digits', async () => {
    gateway.messages.answers.getMessages = async () => ({
      messages: [],
      messagesJson: [],
      anchor: 10 ** 16,
      foundAnchor: false,
      foundOldest: true,
      foundNewest: true,
    });
    const { text } = await gateway.call(getMessages, { anchor: '10000000000000000' });
    expect(text).toContain('"anchor":10000000000000000,');
    expect(asked()).toMatchObject({ anchorKind: 'newest' });
  });

  test('fetches by id, and then has no anchor', async () => {
    gateway.messages.answers.getMessages = async () => ({
      messages: [eg.message()],
      messagesJson: [],
      foundAnchor: false,
      foundOldest: false,
      foundNewest: false,
    });
    const answer = await gateway.call(getMessages, { message_ids: [501, 77] });
    expect(asked()).toMatchObject({ messageIds: [501, 77], numBefore: 0, numAfter: 0 });
    expect(asked()).not.toHaveProperty('anchor');
    expect(answer.json).not.toHaveProperty('anchor');
  });

  const COMBINATION = 'num_before, num_after, anchor, message_ids, include_anchor, use_first_unread_anchor';

  test.each([
    ['num_before=1', "Missing 'anchor' argument."],
    ['anchor=soon', 'Invalid anchor'],
    ['anchor=newest&num_before=-1', 'num_before is too small'],
    ['anchor=newest&num_before=3000&num_after=2001', 'Too many messages requested (maximum 5000).'],
    ['anchor=newest&narrow=no', 'narrow is not valid JSON'],
    ['anchor=newest&narrow=[[1]]', 'Invalid narrow[0]: Value error, element is not a string pair'],
    ['message_ids=[1]&anchor=newest', `Unsupported parameter combination: ${COMBINATION}`],
    ['message_ids=[1]&num_after=1', `Unsupported parameter combination: ${COMBINATION}`],
    ['message_ids=[1]&use_first_unread_anchor=true', `Unsupported parameter combination: ${COMBINATION}`],
    ['message_ids=[1]&include_anchor=false', `Unsupported parameter combination: ${COMBINATION}`],
    ['message_ids=["1"]', 'message_ids[0] is not an integer'],
  ])('refuses %s', async (query, msg) => {
    const answer = await gateway.request({ path: `/api/v1/messages?${query}` });
    expect(answer).toMatchObject({ status: 400, json: { code: 'BAD_REQUEST', msg } });
  });

  test('names the parameters that exclude one another', async () => {
    const answer = await gateway.request({ path: '/api/v1/messages?message_ids=[1]&anchor=newest' });
    expect(answer.json.parameters).toBe(COMBINATION);
  });

  test('accepts as many ids as may be requested', async () => {
    const ids = Array.from({ length: LIMITS.messagesPerFetch }, (_, index) => 10_000_000 + index);
    expect((await gateway.call(getMessages, { message_ids: ids })).status).toBe(200);
    const tooMany = await gateway.call(getMessages, { message_ids: [...ids, 1] });
    expect(tooMany.json.msg).toBe('Too many messages requested (maximum 5000).');
  });

  test('answers refusals of a narrow by messages', async () => {
    gateway.messages.answers.getMessages = async () => {
      throw new BadNarrowError('unknown operator nonsense');
    };
    expect((await gateway.call(getMessages, { anchor: 'newest' })).json).toMatchObject({
      code: 'BAD_NARROW',
      desc: 'unknown operator nonsense',
    });
  });
});

describe('GET /messages/{message_id}', () => {
  test('gives the message and its source', async () => {
    const answer = await gateway.call(getMessage, { message_id: 501, apply_markdown: true });
    expect(gateway.messages.last('getMessage')).toEqual({ messageId: 501 });
    expect(answer.json).toMatchObject({ message: { id: 501, avatar_url: null }, raw_content: 'Hello *you*' });
  });

  test('gives a direct message with its participants', async () => {
    const other = eg.user({ id: 9, email: 'ann@acme.example', fullName: 'Ann' });
    gateway.messages.answers.getMessage = async () => {
      const { channelId, ...direct } = eg.message({ topic: '', channelName: '', participants: [other, eg.user()] });
      return direct;
    };
    const { json } = await gateway.call(getMessage, { message_id: 501 });
    expect(json.message).toMatchObject({
      type: 'private',
      subject: '',
      display_recipient: [
        { id: 9, email: 'ann@acme.example', full_name: 'Ann', is_mirror_dummy: false },
        { id: 11, email: 'iago@acme.example', full_name: 'Iago', is_mirror_dummy: false },
      ],
    });
    expect(json.message).not.toHaveProperty('stream_id');
  });
});

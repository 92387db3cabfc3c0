import {
  createReminder,
  deleteReminder,
  deleteScheduledMessage,
  getReminders,
  getScheduledMessages,
  updateScheduledMessage,
} from '../../src/endpoints';
import { startGateway, type TestGateway } from '../gateway';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway();
  const { answers } = gateway.scheduler;
  answers.createScheduledMessage = async () => ({ scheduledMessageId: 7 });
  answers.updateScheduledMessage = async () => ({});
  answers.deleteScheduledMessage = async () => ({});
  answers.listScheduledMessages = async () => ({ scheduledMessages: [] });
  answers.createReminder = async () => ({ reminderId: 8 });
  answers.deleteReminder = async () => ({});
  answers.listReminders = async () => ({ reminders: [] });
});
afterAll(() => gateway.stop());

const AT = 1_900_000_000;

const create = (form: Record<string, string>, client = 'ParleyTest/1.0') =>
  gateway.request({
    method: 'POST',
    path: '/api/v1/scheduled_messages',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'user-agent': client },
    body: new URLSearchParams({ content: 'x', scheduled_delivery_timestamp: String(AT), ...form }).toString(),
  });

async function isReadWhenSentBy(client: string, form: Record<string, string>): Promise<boolean> {
  expect((await create(form, client)).status).toBe(200);
  return gateway.scheduler.last<{ isReadBySender: boolean }>('createScheduledMessage').isReadBySender;
}

test('a message is passed on with its time in milliseconds', async () => {
  const { json } = await create({ type: 'stream', to: '3', topic: 'lunch' });
  expect(json).toMatchObject({ result: 'success', scheduled_message_id: 7 });
  expect(gateway.scheduler.last('createScheduledMessage')).toMatchObject({
    channelId: 3,
    isDirect: false,
    topic: 'lunch',
    deliverAtMs: AT * 1_000,
    isReadBySender: false,
    clientName: 'ParleyTest',
    idempotencyKey: expect.stringMatching(/^gateway:/),
  });
});

test('the topic may have its former name', async () => {
  const { json } = await create({ type: 'stream', to: '3', subject: 'lunch' });
  expect(json).toEqual({ result: 'success', msg: '', scheduled_message_id: 7 });
  expect(gateway.scheduler.last('createScheduledMessage')).toMatchObject({ topic: 'lunch' });
  const body = new URLSearchParams({ subject: 'dinner' }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  await gateway.request({ method: 'PATCH', path: '/api/v1/scheduled_messages/7', headers, body });
  expect(gateway.scheduler.last('updateScheduledMessage')).toMatchObject({ topic: 'dinner' });
});

test('a scheduled message is read by its sender already, except one to oneself', async () => {
  const me = gateway.scheduler.seen.at(-1)?.call as { userId: number };
  const toSelf = { type: 'direct', to: `[${me.userId}]` };
  const toOthers = { type: 'private', to: `[${me.userId},99]` };
  expect(await isReadWhenSentBy('website/1', toOthers)).toBe(true);
  expect(await isReadWhenSentBy('website/1', toSelf)).toBe(false);
  expect(await isReadWhenSentBy('website/1', { ...toSelf, read_by_sender: 'true' })).toBe(true);
  expect(await isReadWhenSentBy('python/1', toOthers)).toBe(false);
});

test.each<[string, Record<string, string>, string]>([
  ['no type', { to: '3' }, "Missing 'type' argument"],
  ['no recipients', { type: 'direct' }, "Missing 'to' argument"],
  ['a name', { type: 'direct', to: 'eve' }, 'to is not valid JSON'],
  ['a list of names', { type: 'direct', to: '["eve"]' }, 'to["int"] is not an integer'],
  ['too many recipients', { type: 'direct', to: `[${'1,'.repeat(1_000)}1]` }, 'to is too long (limit: 1000 items)'],
  [
    'no time',
    { type: 'stream', to: '3', scheduled_delivery_timestamp: 'x' },
    'scheduled_delivery_timestamp is not valid JSON',
  ],
  [
    'a negative time',
    { type: 'stream', to: '3', scheduled_delivery_timestamp: '-1' },
    'scheduled_delivery_timestamp is too small',
  ],
])('%s is refused', async (_name, form, msg) => {
  const { status, json } = await create(form);
  expect([status, json.msg]).toEqual([400, msg]);
});

test('an edit passes only changed fields on', async () => {
  await gateway.call(updateScheduledMessage, { scheduled_message_id: 7, to: [4, 4] });
  expect(gateway.scheduler.last('updateScheduledMessage')).toEqual({
    scheduledMessageId: 7,
    recipients: { userIds: [4] },
    clientName: expect.any(String),
  });
});

test('lists use the names of the API', async () => {
  const kept = { id: 7, content: 'x', renderedContent: '<p>x</p>', deliverAtMs: AT * 1_000, hasFailed: true };
  const toChannel = { ...kept, channelId: 3, recipientIds: [], topic: 'lunch' };
  const toUsers = { ...kept, recipientIds: [4], topic: '' };
  gateway.scheduler.answers.listScheduledMessages = async () => ({ scheduledMessages: [toChannel, toUsers] });
  gateway.scheduler.answers.listReminders = async () => ({ reminders: [{ ...kept, userId: 4, messageId: 9 }] });
  const common = { content: 'x', rendered_content: '<p>x</p>', scheduled_delivery_timestamp: AT, failed: true };
  expect((await gateway.call(getScheduledMessages, {})).json.scheduled_messages).toEqual([
    { ...common, scheduled_message_id: 7, type: 'stream', to: 3, topic: 'lunch' },
    { ...common, scheduled_message_id: 7, type: 'private', to: [4] },
  ]);
  expect((await gateway.call(getReminders, {})).json.reminders).toEqual([
    { ...common, reminder_id: 7, type: 'private', to: [4], reminder_target_message_id: 9 },
  ]);
});

test('reminders are created and deleted', async () => {
  const input = { message_id: 9, scheduled_delivery_timestamp: AT };
  expect((await gateway.call(createReminder, input)).json).toMatchObject({ reminder_id: 8 });
  expect(gateway.scheduler.last('createReminder')).toEqual({
    ...{ messageId: 9, deliverAtMs: AT * 1_000, note: '' },
    idempotencyKey: expect.stringMatching(/^gateway:/),
  });
  await gateway.call(deleteReminder, { reminder_id: 8 });
  await gateway.call(deleteScheduledMessage, { scheduled_message_id: 7 });
  expect(gateway.scheduler.last('deleteReminder')).toEqual({ reminderId: 8 });
  expect(gateway.scheduler.last('deleteScheduledMessage')).toEqual({ scheduledMessageId: 7 });
});

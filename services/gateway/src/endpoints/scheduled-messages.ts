import { BadRequestError } from '@parley/shared/errors';
import { publicScheduledMessage } from '@parley/shared/wire';
import { z } from 'zod';
import { isInteractiveClient } from '../http/client-name';
import { endpoint } from '../http/endpoint';
import { requestKeyOf } from '../http/idempotency-key';
import { json, pathId, text } from '../http/parameters';
import { scheduledMessageSchema } from '../wire/unsent';

const DIRECT_TYPES = ['direct', 'private'];
const MAX_RECIPIENTS = 1_000;

const scheduledTypeSchema = z.enum(['direct', 'channel', 'stream', 'private']);

const destinationSchema = z
  .union([z.int(), z.array(z.int()).max(MAX_RECIPIENTS)])
  .describe('The id of a channel, or those of the recipients of a direct message.');

type Destination = z.output<typeof destinationSchema>;

/** In seconds. */
const deliveryTime = () => json(z.int().nonnegative().describe('When to send it, in seconds.'));

/** Throws with the API's message: other forms of recipients are not accepted here. */
function readDestination(name: string, value: unknown): Destination {
  if (Number.isSafeInteger(value)) return value as number;
  if (!Array.isArray(value) || !value.every((id) => Number.isSafeInteger(id))) {
    throw new BadRequestError(`${name}["int"] is not an integer`);
  }
  if (value.length > MAX_RECIPIENTS) throw new BadRequestError(`${name} is too long (limit: ${MAX_RECIPIENTS} items)`);
  return [...new Set(value as number[])];
}

function isDirectType(type: z.output<typeof scheduledTypeSchema>): boolean {
  return DIRECT_TYPES.includes(type);
}

/** Throws if the type requires another form of `to`. */
function decodeDestination(isDirect: boolean, to: Destination) {
  if (isDirect) {
    if (!Array.isArray(to)) throw new BadRequestError('Invalid data type for recipients');
    return { isDirect, recipientIds: to };
  }
  if (Array.isArray(to)) throw new BadRequestError('Invalid data type for channel ID');
  return { isDirect, channelId: to, recipientIds: [] };
}

export const getScheduledMessages = endpoint({
  method: 'GET',
  path: '/scheduled_messages',
  summary: "Get the caller's scheduled messages that were not sent",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ scheduled_messages: z.array(scheduledMessageSchema).describe('By time.') }),
  errors: [],
  async handler({ services }, { call }) {
    const { scheduledMessages } = await services.scheduler.listScheduledMessages(call, {});
    return { scheduled_messages: scheduledMessages.map(publicScheduledMessage) };
  },
});

export const createScheduledMessage = endpoint({
  method: 'POST',
  path: '/scheduled_messages',
  summary: 'Have a message sent later',
  auth: 'user',
  parameters: {
    type: text(scheduledTypeSchema),
    to: json(destinationSchema, { read: readDestination }),
    topic: text(z.string().optional(), { alias: 'subject' }),
    content: text(z.string()),
    scheduled_delivery_timestamp: deliveryTime(),
    read_by_sender: json(z.boolean().optional()),
  },
  result: z.strictObject({ scheduled_message_id: z.int() }),
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  async handler({ services, config }, request, values) {
    const { call, clientName } = request;
    const { type, to, topic, content, scheduled_delivery_timestamp: deliverAt } = values;
    const destination = decodeDestination(isDirectType(type), to);
    const isForOthers = !destination.isDirect || destination.recipientIds.some((userId) => userId !== call.userId);
    const { scheduledMessageId } = await services.scheduler.createScheduledMessage(call, {
      ...destination,
      ...(topic !== undefined && { topic }),
      content,
      deliverAtMs: deliverAt * 1_000,
      isReadBySender: values.read_by_sender ?? (isForOthers && isInteractiveClient(clientName, config.API_BRANDS)),
      clientName,
      idempotencyKey: requestKeyOf(request),
    });
    return { scheduled_message_id: scheduledMessageId };
  },
});

export const updateScheduledMessage = endpoint({
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Change a scheduled message, or when it is sent',
  auth: 'user',
  parameters: {
    scheduled_message_id: pathId(),
    type: text(scheduledTypeSchema.optional().describe('Takes `to`; a channel takes `topic` too.')),
    to: json(destinationSchema.optional(), { read: readDestination }),
    topic: text(z.string().optional(), { alias: 'subject' }),
    content: text(z.string().optional()),
    scheduled_delivery_timestamp: json(z.int().nonnegative().optional().describe('Required when the message failed.')),
  },
  result: z.strictObject({}),
  errors: ['STREAM_DOES_NOT_EXIST', 'STREAM_WILDCARD_MENTION_NOT_ALLOWED', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
  async handler({ services }, { call, clientName }, { scheduled_message_id: scheduledMessageId, ...values }) {
    const { type, to, topic, content, scheduled_delivery_timestamp: deliverAt } = values;
    await services.scheduler.updateScheduledMessage(call, {
      scheduledMessageId,
      ...(type !== undefined && { isDirect: isDirectType(type) }),
      ...(typeof to === 'number' && { channelId: to }),
      recipients: Array.isArray(to) ? { userIds: to } : null,
      ...(topic !== undefined && { topic }),
      ...(content !== undefined && { content }),
      ...(deliverAt !== undefined && { deliverAtMs: deliverAt * 1_000 }),
      clientName,
    });
    return {};
  },
});

export const deleteScheduledMessage = endpoint({
  method: 'DELETE',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Delete a scheduled message, which is not sent',
  auth: 'user',
  parameters: { scheduled_message_id: pathId() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { scheduled_message_id: scheduledMessageId }) {
    await services.scheduler.deleteScheduledMessage(call, { scheduledMessageId });
    return {};
  },
});

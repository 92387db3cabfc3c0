import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId, text } from '../../http/parameters';
import { destinationSchema, isDirectType, readDestination, scheduledTypeSchema } from './decode-destination';

export const updateScheduledMessage = endpoint({
  method: 'PATCH',
  path: '/scheduled_messages/{scheduled_message_id}',
  summary: 'Change a scheduled message, or when it is sent',
  auth: 'user',
  parameters: {
    scheduled_message_id: pathId(),
    type: text(scheduledTypeSchema.optional().describe('Takes `to`; a channel takes `topic` too.')),
    to: json(destinationSchema.optional(), { read: readDestination }),
    topic: text(z.string().optional()),
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

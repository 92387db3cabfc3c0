import { z } from 'zod';
import { isInteractiveClient } from '../../http/client-name';
import { endpoint } from '../../http/endpoint';
import { requestKeyOf } from '../../http/idempotency-key';
import { json, text } from '../../http/parameters';
import {
  decodeDestination,
  deliveryTime,
  destinationSchema,
  isDirectType,
  readDestination,
  scheduledTypeSchema,
} from './decode-destination';

export const createScheduledMessage = endpoint({
  method: 'POST',
  path: '/scheduled_messages',
  summary: 'Have a message sent later',
  auth: 'user',
  parameters: {
    type: text(scheduledTypeSchema),
    to: json(destinationSchema, { read: readDestination }),
    topic: text(z.string().optional()),
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

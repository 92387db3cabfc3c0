import { MissingParameterError } from '@parley/shared/errors';
import { LIMITS } from '@parley/shared/values';
import { z } from 'zod';
import { isInteractiveClient } from '../../http/client-name';
import { endpoint } from '../../http/endpoint';
import { idempotencyKeyOf, requestKeyOf } from '../../http/idempotency-key';
import { boundedText, json, opaqueText, text } from '../../http/parameters';
import { decodeRecipients, recipientsSchema } from './decode-recipients';
import { mirroring } from './mirroring';

const DIRECT_TYPES = ['direct', 'private'];

export const sendMessage = endpoint({
  method: 'POST',
  path: '/messages',
  summary: 'Send a message to a channel or to users',
  auth: 'user',
  isHot: true,
  isOpenToWebhookBots: true,
  confirmsCredential: true,
  parameters: {
    type: text(z.enum(['direct', 'channel', 'stream', 'private'])),
    to: json(recipientsSchema, { readText: (_name, encoded) => encoded }),
    topic: text(z.string().optional(), { alias: 'subject' }),
    content: text(z.string()),
    queue_id: text(opaqueText(LIMITS.requestKeyLength).optional()),
    local_id: text(opaqueText(LIMITS.requestKeyLength).optional()),
    read_by_sender: json(z.boolean().optional()),
    ...mirroring.parameters,
    widget_content: text(boundedText(LIMITS.messageLength).optional().describe('JSON: choices that a bot offers.')),
  },
  result: z.strictObject({
    id: z.int(),
    automatic_new_visibility_policy: z.int().optional().describe('2: unmuted, 3: followed.'),
  }),
  errors: [
    'STREAM_DOES_NOT_EXIST',
    'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
    'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
    'IDEMPOTENCY_KEY_REUSED',
  ],
  async handler({ services, config }, request, values) {
    const { topic, content, queue_id: queueId, local_id: localId } = values;
    const destination = decodeRecipients(DIRECT_TYPES.includes(values.type), values.to);
    mirroring.refuse(values);
    if (queueId !== undefined && localId === undefined) throw new MissingParameterError('local_id');
    const isNamed = Boolean(queueId && localId);
    const idempotencyKey = isNamed ? idempotencyKeyOf(request) : requestKeyOf(request);
    const { clientName } = request;
    const sent = await services.messages.sendMessage(request.call, {
      ...destination,
      ...(topic !== undefined && { topic }),
      content,
      ...(queueId !== undefined && { queueId }),
      ...(localId !== undefined && { localId }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      isReadBySender: values.read_by_sender ?? isInteractiveClient(clientName, config.API_BRANDS),
      clientName,
      ...(values.widget_content !== undefined && { widgetContent: values.widget_content }),
      credential: request.credential,
    });
    const policy = sent.automaticNewVisibilityPolicy;
    return { id: sent.messageId, ...(policy !== undefined && { automatic_new_visibility_policy: policy }) };
  },
});

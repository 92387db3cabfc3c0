import { BadRequestError } from '@parley/shared/errors';
import type { ReportTypingRequest } from '@parley/shared/proto';
import { z } from 'zod';
import { endpoint, type Values } from '../http/endpoint';
import { json, pathId, text } from '../http/parameters';

/** Whether typing starts or stops. */
const typingOp = text(z.enum(['start', 'stop']));

const parameters = {
  type: text(z.enum(['direct', 'stream', 'channel']).default('direct')),
  op: typingOp,
  to: json(z.array(z.int()).optional().describe('Ids of the recipients of a direct message.')),
  stream_id: json(z.int().optional()),
  topic: text(z.string().optional(), { alias: 'subject' }),
};

export const setTypingStatus = endpoint({
  method: 'POST',
  path: '/typing',
  summary: 'Tell those who would get a message that it is being typed, or no longer',
  auth: 'user',
  parameters,
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.messages.reportTyping(call, { isTyping: values.op === 'start', ...targetOf(values) });
    return {};
  },
});

/** The destination of the message; parameters of the other kind of message are ignored. */
function targetOf(values: Values<typeof parameters>): Omit<ReportTypingRequest, 'isTyping'> {
  const { type, to, stream_id: channelId, topic } = values;
  if (type === 'direct') {
    if (to === undefined) throw new BadRequestError("Missing 'to' argument");
    return { inTopic: null, recipientIds: [...new Set(to)] };
  }
  if (channelId === undefined) throw new BadRequestError('Missing channel ID');
  if (topic === undefined) throw new BadRequestError('Missing topic');
  return { inTopic: { channelId, topic }, recipientIds: [] };
}

export const setEditTypingStatus = endpoint({
  method: 'POST',
  path: '/messages/{message_id}/typing',
  summary: 'Tell those who have a message that its sender edits it, or no longer does',
  auth: 'user',
  parameters: { message_id: pathId(), op: typingOp },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { message_id: messageId, op }) {
    await services.messages.reportEditTyping(call, { messageId, isTyping: op === 'start' });
    return {};
  },
});

import { BadRequestError } from '@parley/shared/errors';
import type { ReportTypingRequest } from '@parley/shared/proto';
import { z } from 'zod';
import { endpoint, type Values } from '../http/endpoint';
import { json, type Parameter, pathId, text } from '../http/parameters';

/** Whether typing starts or stops. */
const typingOp = text(z.enum(['start', 'stop']));

const recipientIds = json(z.array(z.int()).optional().describe('Ids of the recipients of a direct message.'));
const channelId = json(z.int().optional());

/** Read once the kind of message is known: with the other kind it is ignored, whatever it is. */
function unread<Sent>(parameter: Parameter<Sent>): Parameter<Sent, string | undefined> {
  return { ...parameter, absent: undefined, read: (_name, encoded) => encoded };
}

const parameters = {
  type: text(z.enum(['direct', 'stream', 'channel']).default('direct')),
  op: typingOp,
  to: unread(recipientIds),
  stream_id: unread(channelId),
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
  const { type, to, stream_id: streamId, topic } = values;
  if (type === 'direct') {
    const ids = to === undefined ? undefined : recipientIds.read('to', to);
    if (ids === undefined) throw new BadRequestError("Missing 'to' argument");
    return { inTopic: null, recipientIds: [...new Set(ids)] };
  }
  const id = streamId === undefined ? undefined : channelId.read('stream_id', streamId);
  if (id === undefined) throw new BadRequestError('Missing channel ID');
  if (topic === undefined) throw new BadRequestError('Missing topic');
  return { inTopic: { channelId: id, topic }, recipientIds: [] };
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

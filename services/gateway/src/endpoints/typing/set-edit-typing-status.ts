import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';
import { typingOp } from './typing-op';

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

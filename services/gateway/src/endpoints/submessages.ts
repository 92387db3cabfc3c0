import { LIMITS } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { boundedText, json, opaqueText, text } from '../http/parameters';

const MAX_TYPE_LENGTH = 100;

export const addSubmessage = endpoint({
  method: 'POST',
  path: '/submessage',
  summary: 'Do something with a widget: vote in a poll, strike a task',
  auth: 'user',
  parameters: {
    message_id: json(z.int().nonnegative()),
    msg_type: text(opaqueText(MAX_TYPE_LENGTH)),
    content: text(boundedText(LIMITS.messageLength).describe('JSON.')),
  },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, values) {
    await services.messages.addSubmessage(call, {
      messageId: values.message_id,
      msgType: values.msg_type,
      content: values.content,
    });
    return {};
  },
});

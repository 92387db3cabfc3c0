import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId } from '../../http/parameters';
import { messageForReader, messageSchema } from '../../wire/message';

export const getMessage = endpoint({
  method: 'GET',
  path: '/messages/{message_id}',
  summary: 'Get one message',
  auth: 'user',
  isOpenToVisitors: true,
  parameters: {
    message_id: pathId(),
    apply_markdown: json(z.boolean().default(true)),
    allow_empty_topic_name: json(z.boolean().default(false)),
  },
  result: z.strictObject({ message: messageSchema, raw_content: z.string().describe('Deprecated.') }),
  errors: [],
  async handler({ services }, { call }, values) {
    const message = await services.messages.getMessage(call, { messageId: values.message_id });
    const view = {
      applyMarkdown: values.apply_markdown,
      clientGravatar: true,
      isEmptyTopicUnderstood: values.allow_empty_topic_name,
    };
    return { message: messageForReader(message, view), raw_content: message.content };
  },
});

import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';

export const renderContent = endpoint({
  method: 'POST',
  path: '/messages/render',
  summary: 'Show what a message would look like',
  auth: 'user',
  parameters: { content: text(z.string()) },
  result: z.strictObject({ rendered: z.string().describe('HTML.') }),
  errors: [],
  handler({ services }, { call }, { content }) {
    return services.messages.renderContent(call, { content });
  },
});

import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, text } from '../../http/parameters';
import { ignoredChannels } from './ignored-channels';

export const updateFlags = endpoint({
  method: 'POST',
  path: '/messages/flags',
  summary: "Set one of the caller's flags on messages, or take it off",
  auth: 'user',
  parameters: {
    messages: json(z.array(z.int())),
    op: text(z.string().describe('`add` or `remove`.')),
    flag: text(z.string().describe('`read`, `starred` or `collapsed`.')),
  },
  result: z.strictObject({ messages: z.array(z.int()), ...ignoredChannels.field }),
  errors: [],
  async handler({ services }, { call }, { messages, op, flag }) {
    const { ignoredChannelIds } = await services.messages.updateFlags(call, { messageIds: messages, op, flag });
    return { messages, ...ignoredChannels.present({ op, flag }, ignoredChannelIds) };
  },
});

import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathText } from '../../http/parameters';

export const deactivateCustomEmoji = endpoint({
  method: 'DELETE',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Take a custom emoji out of use',
  auth: 'user',
  parameters: { emoji_name: pathText() },
  result: z.strictObject({}),
  errors: [],
  async handler({ services }, { call }, { emoji_name: name }) {
    await services.realm.deactivateCustomEmoji(call, { name });
    return {};
  },
});

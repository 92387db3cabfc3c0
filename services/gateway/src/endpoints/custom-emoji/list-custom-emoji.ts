import { publicCustomEmoji } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { customEmojiSchema } from '../../wire/custom-emoji';

export const listCustomEmoji = endpoint({
  method: 'GET',
  path: '/realm/emoji',
  summary: "Get the organization's custom emoji, deactivated ones included",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ emoji: customEmojiSchema }),
  errors: [],
  async handler({ services }, { call }) {
    const { emoji } = await services.realm.listCustomEmoji(call, {});
    return { emoji: publicCustomEmoji(emoji) };
  },
});

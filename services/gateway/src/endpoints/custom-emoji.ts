import { publicCustomEmoji } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { pathText } from '../http/parameters';
import { customEmojiSchema } from '../wire/organization';

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

export const addCustomEmoji = endpoint({
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Add a custom emoji made of an uploaded picture',
  auth: 'user',
  parameters: { emoji_name: pathText() },
  // More than the largest image, so that an image that is too large gets the documented error.
  maxUploadBytes: 8 * 1024 * 1024,
  result: z.strictObject({}),
  errors: ['BAD_IMAGE'],
  async handler({ services }, { call, files }, { emoji_name: name }) {
    await services.realm.addCustomEmoji(call, { name, files: [...files] });
    return {};
  },
});

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

import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathText } from '../../http/parameters';

export const addCustomEmoji = endpoint({
  method: 'POST',
  path: '/realm/emoji/{emoji_name}',
  summary: 'Add a custom emoji made of an uploaded picture',
  auth: 'user',
  parameters: { emoji_name: pathText() },
  // More than the largest picture, so that one that is too large is refused for that.
  maxUploadBytes: 8 * 1024 * 1024,
  result: z.strictObject({}),
  errors: ['BAD_IMAGE'],
  async handler({ services }, { call, files }, { emoji_name: name }) {
    await services.realm.addCustomEmoji(call, { name, files: [...files] });
    return {};
  },
});

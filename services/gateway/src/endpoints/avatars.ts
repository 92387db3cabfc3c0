import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { ownAvatarUrl } from '../wire/users';

export const setAvatar = endpoint({
  method: 'POST',
  path: '/users/me/avatar',
  summary: "Upload the caller's picture",
  auth: 'user',
  parameters: {},
  // More than the largest image, so that an image that is too large gets the documented error.
  maxUploadBytes: 8 * 1024 * 1024,
  result: z.strictObject({ avatar_url: z.string() }),
  errors: ['BAD_IMAGE'],
  async handler({ services }, { call, files }) {
    return { avatar_url: ownAvatarUrl(await services.realm.setAvatar(call, { files: [...files] })) };
  },
});

export const removeAvatar = endpoint({
  method: 'DELETE',
  path: '/users/me/avatar',
  summary: "Remove the caller's uploaded picture",
  auth: 'user',
  parameters: {},
  result: z.strictObject({ avatar_url: z.string() }),
  errors: [],
  async handler({ services }, { call }) {
    return { avatar_url: ownAvatarUrl(await services.realm.removeAvatar(call, {})) };
  },
});

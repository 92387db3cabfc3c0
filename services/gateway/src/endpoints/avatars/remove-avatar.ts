import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { ownAvatarUrl } from '../../wire/own-user';

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

import type { User } from '@parley/shared/proto';
import { avatarUrl, mediumAvatarUrl } from '@parley/shared/wire';
import type { Context } from '../context';
import { redirect } from '../http/answer';
import { identify } from '../http/identify';
import type { Page } from '../http/routes';

const ID = /^\d{1,15}$/;

/** Redirects to a user's picture, by id or address; for clients that do not know the picture's address. */
export function avatarRedirect(ctx: Context, size: '' | '/medium'): Page {
  return {
    path: `/avatar/{user}${size}`,
    async answer({ user: named = '' }, exchange) {
      const call = await identify(ctx, exchange);
      const ref = ID.test(named) ? { id: Number(named) } : { email: named };
      const found = await ctx.services.realm.findUser(call, { user: ref, includesProfile: false });
      const user = found.user as User;
      return redirect(size === '' ? (avatarUrl(user, false) as string) : mediumAvatarUrl(user));
    },
  };
}

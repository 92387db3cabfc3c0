import { InsufficientPermissionError } from '@parley/shared/errors';
import type { User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { unknownUser, userIdOfDummyEmail } from '@parley/shared/values';
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
      const user = await findShown(ctx, call, named);
      return redirect(size === '' ? (avatarUrl(user, false) as string) : mediumAvatarUrl(user));
    },
  };
}

/** The user as the caller may see them: a hidden one has the picture of an unknown user, like elsewhere. */
async function findShown({ services }: Context, call: Caller, named: string): Promise<User> {
  const id = ID.test(named) ? Number(named) : userIdOfDummyEmail(named);
  const user = id === null ? { email: named } : { id };
  try {
    return (await services.realm.findUser(call, { user, includesProfile: false })).user as User;
  } catch (error) {
    if (id === null || !(error instanceof InsufficientPermissionError)) throw error;
    return unknownUser(call.realmId, id);
  }
}

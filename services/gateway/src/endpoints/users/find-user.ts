import type { User, UserRef } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { z } from 'zod';
import type { Context } from '../../context';
import type { Values } from '../../http/endpoint';
import { publicUserWithActivity, userWithActivitySchema } from '../../wire/user';
import type { userViewParameters } from './user-parameters';

export const foundUserSchema = z.strictObject({ user: userWithActivitySchema });

/** One user, as the caller may see them. */
export async function findUser(
  { services }: Pick<Context, 'services'>,
  call: Caller,
  named: UserRef,
  view: Values<typeof userViewParameters>,
): Promise<z.infer<typeof foundUserSchema>> {
  const { client_gravatar: clientGravatar, include_custom_profile_fields: includesProfile } = view;
  const { viewerRole, user, profile } = await services.realm.findUser(call, { user: named, includesProfile });
  const viewer = { userId: call.userId, role: viewerRole };
  return { user: publicUserWithActivity(user as User, viewer, clientGravatar, includesProfile ? profile : null) };
}

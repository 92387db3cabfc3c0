import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';
import { findUser, foundUserSchema } from './find-user';
import { userViewParameters } from './user-parameters';

export const getUser = endpoint({
  method: 'GET',
  path: '/users/{user_id}',
  summary: 'Get a user by id',
  auth: 'user',
  parameters: { user_id: pathId(), ...userViewParameters },
  result: foundUserSchema,
  errors: [],
  handler: (ctx, { call }, { user_id: id, ...view }) => findUser(ctx, call, { id }, view),
});

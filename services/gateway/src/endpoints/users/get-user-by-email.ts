import { endpoint } from '../../http/endpoint';
import { pathText } from '../../http/parameters';
import { findUser, foundUserSchema } from './find-user';
import { userViewParameters } from './user-parameters';

export const getUserByEmail = endpoint({
  method: 'GET',
  path: '/users/{email}',
  summary: 'Get a user by their API e-mail address, or by a real one that the caller may see',
  auth: 'user',
  parameters: { email: pathText(), ...userViewParameters },
  result: foundUserSchema,
  errors: [],
  handler: (ctx, { call }, { email, ...view }) => findUser(ctx, call, { email }, view),
});

import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/parameters';

export const addUser = endpoint({
  method: 'POST',
  path: '/users',
  summary: "Make a person's account; for administrators whom the server's operator lets do so",
  auth: 'user',
  parameters: { email: text(z.string()), password: text(z.string()), full_name: text(z.string()) },
  result: z.strictObject({ user_id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { email, password, full_name: fullName }) {
    const { userId } = await services.realm.addUser(call, { email, password, fullName });
    return { user_id: userId };
  },
});

import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId, text } from '../../http/parameters';

export const deactivateUser = endpoint({
  method: 'DELETE',
  path: '/users/{user_id}',
  summary: "Take a person's account out of use; for administrators",
  auth: 'user',
  parameters: {
    user_id: pathId(),
    deactivation_notification_comment: text(
      z.string().optional().describe('For the mail that the user gets about it; absent: none is sent.'),
    ),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { user_id: userId, deactivation_notification_comment: comment }) {
    await services.realm.deactivateUser(call, {
      userId,
      ...(comment !== undefined && { notificationComment: comment }),
    });
    return {};
  },
});

import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';
import { channelNames, principals, principalsOf } from './subscription-parameters';

export const unsubscribe = endpoint({
  method: 'DELETE',
  path: '/users/me/subscriptions',
  summary: 'Unsubscribe users from channels',
  auth: 'user',
  parameters: { subscriptions: json(channelNames.describe('Names of channels.')), principals },
  result: z.strictObject({
    removed: z.array(z.string()).describe('Names of channels, one for each user who was unsubscribed.'),
    not_removed: z.array(z.string()).describe('Names of channels, one for each user who was not subscribed.'),
  }),
  errors: ['STREAM_DOES_NOT_EXIST'],
  async handler({ services }, { call }, values) {
    const { removed, notRemoved } = await services.realm.unsubscribe(call, {
      channelNames: values.subscriptions,
      ...principalsOf(values.principals),
    });
    return { removed, not_removed: notRemoved };
  },
});

import type { SubscribeResponse, UnsubscribeResponse } from '@parley/shared/proto';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';
import { publicSubscribed, subscribedShape } from './subscribed';
import { channelNames, channelsToJoin } from './subscription-parameters';

export const changeOwnSubscriptions = endpoint({
  method: 'PATCH',
  path: '/users/me/subscriptions',
  summary: 'Subscribe to channels and unsubscribe from others, all at once',
  auth: 'user',
  parameters: {
    add: json(channelsToJoin.default([]).describe('The channels; those that do not exist are created.')),
    delete: json(channelNames.default([]).describe('Names of channels.')),
  },
  result: z.strictObject({
    ...subscribedShape,
    removed: z.array(z.string()),
    not_removed: z.array(z.string()),
    new_subscription_messages_sent: z.boolean(),
  }),
  errors: ['STREAM_DOES_NOT_EXIST'],
  async handler({ services }, { call }, values) {
    const { subscribed, unsubscribed } = await services.realm.changeOwnSubscriptions(call, {
      added: values.add,
      removedNames: values.delete,
    });
    const { removed, notRemoved } = unsubscribed as UnsubscribeResponse;
    const added = subscribed as SubscribeResponse;
    return {
      ...publicSubscribed(added),
      removed,
      not_removed: notRemoved,
      new_subscription_messages_sent: added.areNoticesSent,
    };
  },
});

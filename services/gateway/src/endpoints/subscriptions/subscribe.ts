import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';
import { newChannelParameters, newChannelSettings } from '../channels/new-channel-parameters';
import { publicSubscribed, subscribedShape } from './subscribed';
import { channelsToJoin, principals, principalsOf } from './subscription-parameters';

export const subscribe = endpoint({
  method: 'POST',
  path: '/users/me/subscriptions',
  summary: 'Subscribe users to channels, creating those that do not exist',
  auth: 'user',
  parameters: {
    subscriptions: json(channelsToJoin.describe('The channels; those that do not exist are created.')),
    principals,
    authorization_errors_fatal: json(
      z
        .boolean()
        .default(true)
        .describe('False: channels that the caller may not subscribe to are listed and left out.'),
    ),
    send_new_subscription_messages: json(
      z.boolean().default(true).describe('People whom somebody else subscribes are told so by a direct message.'),
    ),
    ...newChannelParameters,
  },
  result: z.strictObject({
    ...subscribedShape,
    unauthorized: z.array(z.string()).optional(),
    new_subscription_messages_sent: z.boolean().optional(),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'SYSTEM_GROUP_REQUIRED'],
  async handler({ services }, { call }, values) {
    const isFatal = values.authorization_errors_fatal;
    const sendsNotices = values.send_new_subscription_messages;
    const answer = await services.realm.subscribe(call, {
      channels: values.subscriptions,
      ...principalsOf(values.principals),
      areAuthorizationErrorsFatal: isFatal,
      newChannel: newChannelSettings(values),
      sendsNotices,
    });
    return {
      ...publicSubscribed(answer),
      ...(isFatal ? {} : { unauthorized: answer.unauthorized }),
      ...(sendsNotices ? { new_subscription_messages_sent: answer.areNoticesSent } : {}),
    };
  },
});

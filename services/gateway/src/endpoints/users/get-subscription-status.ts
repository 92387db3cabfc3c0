import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const getSubscriptionStatus = endpoint({
  method: 'GET',
  path: '/users/{user_id}/subscriptions/{stream_id}',
  summary: 'Ask whether a user is subscribed to a channel',
  auth: 'user',
  parameters: { user_id: pathId(), stream_id: pathId() },
  result: z.strictObject({ is_subscribed: z.boolean() }),
  errors: [],
  async handler({ services }, { call }, { user_id: userId, stream_id: channelId }) {
    const { channelIds } = await services.realm.listUserChannels(call, { userId, channelId });
    return { is_subscribed: channelIds.includes(channelId) };
  },
});

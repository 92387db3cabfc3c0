import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const getUserChannels = endpoint({
  method: 'GET',
  path: '/users/{user_id}/channels',
  summary: 'List the channels that a user is subscribed to, as far as the caller may know of them',
  auth: 'user',
  parameters: { user_id: pathId() },
  result: z.strictObject({ subscribed_channel_ids: z.array(z.int()) }),
  errors: [],
  async handler({ services }, { call }, { user_id: userId }) {
    const { channelIds } = await services.realm.listUserChannels(call, { userId });
    return { subscribed_channel_ids: channelIds };
  },
});

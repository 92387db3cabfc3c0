import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const getChannelMembers = endpoint({
  method: 'GET',
  path: '/streams/{stream_id}/members',
  summary: 'Get the ids of the active users who are subscribed to a channel',
  auth: 'user',
  parameters: { stream_id: pathId() },
  result: z.strictObject({ subscribers: z.array(z.int()) }),
  errors: [],
  async handler({ services }, { call }, { stream_id: channelId }) {
    const { userIds } = await services.realm.getChannelMembers(call, { channelId });
    return { subscribers: userIds };
  },
});

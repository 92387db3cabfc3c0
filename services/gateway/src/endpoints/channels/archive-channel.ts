import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';

export const archiveChannel = endpoint({
  method: 'DELETE',
  path: '/streams/{stream_id}',
  summary: 'Archive a channel',
  auth: 'user',
  parameters: { stream_id: pathId() },
  result: z.strictObject({}),
  errors: ['CANNOT_ADMINISTER_CHANNEL'],
  async handler({ services }, { call }, { stream_id: channelId }) {
    await services.realm.archiveChannel(call, { channelId });
    return {};
  },
});

import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId, text } from '../../http/parameters';

export const changeDefaultChannelGroupChannels = endpoint({
  method: 'PATCH',
  path: '/default_stream_groups/{group_id}/streams',
  summary: 'Put channels into a set for people who join, or take them out',
  auth: 'user',
  parameters: {
    group_id: pathId(),
    op: text(z.string().describe('add or remove.')),
    stream_names: json(z.array(z.string())),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { group_id: id, op, stream_names: channelNames }) {
    if (op !== 'add' && op !== 'remove') {
      throw new BadRequestError('Invalid value for "op". Specify one of "add" or "remove".');
    }
    await services.realm.changeDefaultChannelGroupChannels(call, { id, areAdded: op === 'add', channelNames });
    return {};
  },
});

import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId } from '../../http/parameters';
import { channelSchema, shownChannel } from '../../wire/channel';
import { loadFirstMessages } from './load-first-messages';

export const getChannel = endpoint({
  method: 'GET',
  path: '/streams/{stream_id}',
  summary: 'Get a channel, archived or not',
  auth: 'user',
  parameters: { stream_id: pathId() },
  result: z.strictObject({ stream: channelSchema }),
  errors: [],
  async handler(ctx, { call }, { stream_id: channelId }) {
    const channel = await ctx.services.realm.getChannel(call, { channelId });
    return { stream: shownChannel(channel, await loadFirstMessages(ctx, call, [channel])) };
  },
});

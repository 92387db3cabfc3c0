import type { Channel } from '@parley/shared/proto';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';
import { channelSchema, shownChannel } from '../../wire/channel';
import { loadActivities } from './load-activities';

const flag = (isIncluded: boolean) => json(z.boolean().default(isIncluded));

export const listChannels = endpoint({
  method: 'GET',
  path: '/streams',
  summary: 'Get channels that the caller may know of, by name',
  auth: 'user',
  parameters: {
    include_public: flag(true),
    include_web_public: flag(false),
    include_subscribed: flag(true),
    exclude_archived: flag(true),
    include_all: flag(false),
    include_all_active: json(z.boolean().default(false).describe('Deprecated: include_all, for administrators.')),
    include_default: json(z.boolean().default(false).describe('Adds is_default.')),
    include_owner_subscribed: json(z.boolean().default(false).describe('For bots: the channels of their owners.')),
    include_can_access_content: flag(false),
  },
  result: z.strictObject({ streams: z.array(channelSchema.extend({ is_default: z.boolean().optional() })) }),
  errors: [],
  async handler(ctx, { call }, values) {
    const { channels } = await ctx.services.realm.listChannels(call, {
      includesPublic: values.include_public,
      includesWebPublic: values.include_web_public,
      includesSubscribed: values.include_subscribed,
      includesOwnerSubscribed: values.include_owner_subscribed,
      includesReadable: values.include_can_access_content,
      includesAll: values.include_all,
      includesAllForAdministrators: values.include_all_active,
      excludesArchived: values.exclude_archived,
    });
    const activityOf = await loadActivities(
      ctx,
      call,
      channels.map(({ channel }) => channel as Channel),
    );
    const streams = channels.map(({ channel, isDefault }) => ({
      ...shownChannel(channel as Channel, activityOf),
      ...(values.include_default && { is_default: isDefault }),
    }));
    return { streams };
  },
});

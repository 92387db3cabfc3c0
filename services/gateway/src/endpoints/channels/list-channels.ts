import type { ListedChannel } from '@parley/shared/proto';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';
import { channelSchema } from '../../wire/channel';
import { channelList } from '../../wire/channel-list';

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
  async handler({ services, sharedState }, { call }, values) {
    const shelf = await sharedState.channels(call, 'none');
    // Last, so that nothing of a channel is told that was hidden from the caller before.
    const { channels } = await services.realm.listChannels(call, {
      includesPublic: values.include_public,
      includesWebPublic: values.include_web_public,
      includesSubscribed: values.include_subscribed,
      includesOwnerSubscribed: values.include_owner_subscribed,
      includesReadable: values.include_can_access_content,
      includesAll: values.include_all,
      includesAllForAdministrators: values.include_all_active,
      excludesArchived: values.exclude_archived,
    });
    const includesArchived = !values.exclude_archived;
    const ownMembers = ({ isDefault }: ListedChannel) => (values.include_default ? { is_default: isDefault } : null);
    return { streams: channelList(channels, shelf.channels, { includesArchived, ownMembers }) };
  },
});

import { publicChannelFolder } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json } from '../../http/parameters';
import { channelFolderSchema } from '../../wire/channel-folder';

export const listChannelFolders = endpoint({
  method: 'GET',
  path: '/channel_folders',
  summary: "Get the organization's channel folders",
  auth: 'user',
  parameters: { include_archived: json(z.boolean().default(false)) },
  result: z.strictObject({ channel_folders: z.array(channelFolderSchema).describe('In their order.') }),
  errors: [],
  async handler({ services }, { call }, { include_archived: includesArchived }) {
    const { folders } = await services.realm.listChannelFolders(call, { includesArchived });
    return { channel_folders: folders.map(publicChannelFolder) };
  },
});

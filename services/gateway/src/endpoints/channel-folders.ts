import { publicChannelFolder } from '@parley/shared/wire';
import { z } from 'zod';
import { endpoint } from '../http/endpoint';
import { json, pathId, text } from '../http/parameters';
import { channelFolderSchema } from '../wire/channels';

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

export const createChannelFolder = endpoint({
  method: 'POST',
  path: '/channel_folders/create',
  summary: 'Make a channel folder',
  auth: 'user',
  parameters: { name: text(z.string()), description: text(z.string().default('')) },
  result: z.strictObject({ channel_folder_id: z.int() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, values) {
    const { id } = await services.realm.createChannelFolder(call, values);
    return { channel_folder_id: id };
  },
});

export const updateChannelFolder = endpoint({
  method: 'PATCH',
  path: '/channel_folders/{channel_folder_id}',
  summary: 'Rename, describe, archive or unarchive a channel folder',
  auth: 'user',
  parameters: {
    channel_folder_id: pathId(),
    name: text(z.string().optional()),
    description: text(z.string().optional()),
    is_archived: json(z.boolean().optional()),
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { channel_folder_id: id, name, description, is_archived: isArchived }) {
    await services.realm.updateChannelFolder(call, {
      id,
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
      ...(isArchived !== undefined && { isArchived }),
    });
    return {};
  },
});

export const reorderChannelFolders = endpoint({
  method: 'PATCH',
  path: '/channel_folders',
  summary: 'Put channel folders into another order',
  auth: 'user',
  parameters: { order: json(z.array(z.int()).describe('Every folder, archived ones included, once.')) },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { order: orderedIds }) {
    await services.realm.reorderChannelFolders(call, { orderedIds });
    return {};
  },
});

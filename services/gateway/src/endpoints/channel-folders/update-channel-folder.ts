import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { json, pathId, text } from '../../http/parameters';

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

import type { ChannelFolder } from '../proto';
import { toSeconds } from '../values';

/** The API's channel folder object. */
export function publicChannelFolder(folder: ChannelFolder) {
  return {
    id: folder.id,
    name: folder.name,
    description: folder.description,
    rendered_description: folder.renderedDescription,
    order: folder.order,
    date_created: toSeconds(folder.createdAtMs),
    creator_id: folder.creatorId ?? null,
    is_archived: folder.isArchived,
  };
}

import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId, pathRest } from '../../http/parameters';
import { accessFile } from '../../uploads/access-file';

export const getThumbnailStatus = endpoint({
  method: 'GET',
  path: '/thumbnail/status/{realm_id_str}/{filename}',
  summary: 'Tell whether the thumbnails of an uploaded picture are there',
  auth: 'user',
  isOpenToVisitors: true,
  parameters: { realm_id_str: pathId(), filename: pathRest() },
  result: z.strictObject({ has_thumbnail: z.boolean() }),
  errors: [],
  async handler({ services }, { call }, { realm_id_str: realmId, filename }) {
    const { thumbnails } = await accessFile(services.messages, call, `${realmId}/${filename}`);
    return { has_thumbnail: thumbnails === 'ready' };
  },
});

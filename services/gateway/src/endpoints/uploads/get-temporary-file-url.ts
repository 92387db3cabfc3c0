import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId, pathRest } from '../../http/parameters';
import { isPathId } from '../../uploads/path-id';
import { signToken } from '../../uploads/temporary-token';

export const getTemporaryFileUrl = endpoint({
  method: 'GET',
  path: '/user_uploads/{realm_id_str}/{filename}',
  summary: 'Get an address of an uploaded file that is good without credentials, for a minute',
  auth: 'user',
  parameters: { realm_id_str: pathId(), filename: pathRest() },
  result: z.strictObject({ url: z.string() }),
  errors: [],
  async handler({ services, uploads, clock }, { call }, { realm_id_str: realmId, filename }) {
    const wanted = `${realmId}/${filename}`;
    if (!isPathId(wanted)) throw new BadRequestError('File not found', {}, 404);
    const file = await services.messages.getUpload(call, { pathId: wanted });
    const token = signToken(file, uploads.tokenSecret, clock.now());
    const name = encodeURIComponent(wanted.slice(wanted.lastIndexOf('/') + 1));
    return { url: `/user_uploads/temporary/${token}/${name}` };
  },
});

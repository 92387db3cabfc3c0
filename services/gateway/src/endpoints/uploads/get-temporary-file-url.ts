import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { pathId, pathRest } from '../../http/parameters';
import { accessFile } from '../../uploads/access-file';
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
    const file = await accessFile(services.messages, call, `${realmId}/${filename}`);
    const token = signToken(file, uploads.tokenSecret, clock.now());
    const name = encodeURIComponent(file.pathId.slice(file.pathId.lastIndexOf('/') + 1));
    return { url: `/user_uploads/temporary/${token}/${name}` };
  },
});

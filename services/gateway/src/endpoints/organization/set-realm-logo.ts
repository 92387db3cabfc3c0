import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { logoKind, night } from './logo-parameters';
import { MAX_PICTURE_UPLOAD_BYTES } from './upload-bound';

export const setRealmLogo = endpoint({
  method: 'POST',
  path: '/realm/logo',
  summary: "Upload one of the organization's wide logos; for administrators",
  auth: 'user',
  parameters: { night },
  maxUploadBytes: MAX_PICTURE_UPLOAD_BYTES,
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_IMAGE'],
  async handler({ services }, { call, files }, values) {
    await services.realm.setOrganizationImage(call, { kind: logoKind(values.night), files: [...files] });
    return {};
  },
});

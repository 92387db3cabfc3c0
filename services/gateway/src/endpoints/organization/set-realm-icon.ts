import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { organizationIconOf } from './organization-icon-of';
import { MAX_PICTURE_UPLOAD_BYTES } from './upload-bound';

export const setRealmIcon = endpoint({
  method: 'POST',
  path: '/realm/icon',
  summary: "Upload the organization's icon; for administrators",
  auth: 'user',
  parameters: {},
  maxUploadBytes: MAX_PICTURE_UPLOAD_BYTES,
  result: z.strictObject({ icon_url: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'BAD_IMAGE'],
  async handler({ services }, request) {
    const { images } = await services.realm.setOrganizationImage(request.call, {
      kind: 'icon',
      files: [...request.files],
    });
    return { icon_url: organizationIconOf(request, images) };
  },
});

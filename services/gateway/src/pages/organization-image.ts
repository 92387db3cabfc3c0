import type { Context } from '../context';
import { notFound } from '../http/answer';
import type { Page } from '../http/routes';

/** Its address contains a version that is never reused. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** An organization's icon or logo: pages show it before sign-in. */
export function organizationImage({ services }: Pick<Context, 'services'>): Page {
  return {
    path: '/user_avatars/{realm_id}/realm/{file_name}',
    patterns: { realm_id: /^\d{1,15}$/, file_name: /^(icon|logo|night_logo)\.png$/ },
    async answer({ realm_id: realmId, file_name: fileName = '' }, { call }) {
      const request = { realmId: Number(realmId), kind: fileName.replace('.png', '') };
      const { contentType, bytes } = await services.realm.getOrganizationImage(call, request);
      if (bytes.length === 0) return notFound();
      const headers = {
        'Content-Type': contentType,
        'Cache-Control': FOR_EVER,
        'Content-Security-Policy': "default-src 'none'",
      };
      return { status: 200, body: bytes, headers };
    },
  };
}

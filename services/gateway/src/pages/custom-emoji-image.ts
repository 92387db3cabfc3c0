import type { Context } from '../context';
import { notFound } from '../http/answer';
import type { Page } from '../http/routes';

/** Random names are never given twice. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The image of a custom emoji. Its address is the permission: pages show it without credentials. */
export function customEmojiImage({ services }: Pick<Context, 'services'>): Page {
  return {
    path: '/user_avatars/{realm_id}/emoji/images/{file_name}',
    patterns: { realm_id: /^\d{1,15}$/, file_name: /^[A-Za-z0-9]+\.(png|gif|webp)$/ },
    async answer({ realm_id: realmId, file_name: fileName }, { call }) {
      const request = { realmId: Number(realmId), fileName: fileName as string };
      const { contentType, bytes } = await services.realm.getCustomEmojiImage(call, request);
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

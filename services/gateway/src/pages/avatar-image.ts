import type { Context } from '../context';
import { notFound } from '../http/answer';
import type { Page } from '../http/routes';

/** Random names are never given twice. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const FILE = /^([A-Za-z0-9]{32})(-medium)?\.png$/;

/** An uploaded picture of a user. Its address is the permission: pages show it without credentials. */
export function avatarImage({ services }: Pick<Context, 'services'>): Page {
  return {
    path: '/user_avatars/{realm_id}/{file}',
    patterns: { realm_id: /^\d{1,15}$/, file: FILE },
    async answer({ realm_id: realmId, file }, { call }) {
      const [, fileName, medium] = FILE.exec(file as string) as unknown as [string, string, string | undefined];
      const request = { realmId: Number(realmId), fileName, isMedium: medium !== undefined };
      const { bytes } = await services.realm.getAvatarImage(call, request);
      if (bytes.length === 0) return notFound();
      const headers = {
        'Content-Type': 'image/png',
        'Cache-Control': FOR_EVER,
        'Content-Security-Policy': "default-src 'none'",
      };
      return { status: 200, body: bytes, headers };
    },
  };
}

import type { Context } from '../context';
import { type Answer, PathNotFoundError } from '../http/answer';
import type { Page } from '../http/routes';

// Images stored by realm. Knowing their addresses suffices: pages show them without credentials, an organization's before
// sign-in.

type Needed = Pick<Context, 'services'>;

const REALM_ID = /^\d{1,15}$/;
const AVATAR = /^([A-Za-z0-9]{32})(-medium)?\.png$/;

/** An uploaded picture of a user. */
export function avatarImage({ services }: Needed): Page {
  return {
    path: '/user_avatars/{realm_id}/{file}',
    patterns: { realm_id: REALM_ID, file: AVATAR },
    async answer({ realm_id: realmId, file }, { call }) {
      const [, fileName, medium] = AVATAR.exec(file as string) as unknown as [string, string, string | undefined];
      const request = { realmId: Number(realmId), fileName, isMedium: medium !== undefined };
      const { bytes } = await services.realm.getAvatarImage(call, request);
      return imageAnswer('image/png', bytes);
    },
  };
}

/** The image of a custom emoji. */
export function customEmojiImage({ services }: Needed): Page {
  return {
    path: '/user_avatars/{realm_id}/emoji/images/{file_name}',
    patterns: { realm_id: REALM_ID, file_name: /^[A-Za-z0-9]+\.(png|gif|webp)$/ },
    async answer({ realm_id: realmId, file_name: fileName }, { call }) {
      const request = { realmId: Number(realmId), fileName: fileName as string };
      const { contentType, bytes } = await services.realm.getCustomEmojiImage(call, request);
      return imageAnswer(contentType, bytes);
    },
  };
}

/** An organization's icon or logo. */
export function organizationImage({ services }: Needed): Page {
  return {
    path: '/user_avatars/{realm_id}/realm/{file_name}',
    patterns: { realm_id: REALM_ID, file_name: /^(icon|logo|night_logo)\.png$/ },
    async answer({ realm_id: realmId, file_name: fileName = '' }, { call }) {
      const request = { realmId: Number(realmId), kind: fileName.replace('.png', '') };
      const { contentType, bytes } = await services.realm.getOrganizationImage(call, request);
      return imageAnswer(contentType, bytes);
    },
  };
}

/** Cacheable for ever: names are random, or addresses contain a version, and neither is reused. */
function imageAnswer(contentType: string, bytes: Buffer): Answer {
  if (bytes.length === 0) throw new PathNotFoundError();
  const headers = {
    'Content-Type': contentType,
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Security-Policy': "default-src 'none'",
  };
  return { status: 200, body: bytes, headers };
}

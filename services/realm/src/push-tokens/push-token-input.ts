import { createHash } from 'node:crypto';
import { BadRequestError } from '@parley/shared/errors';

export type PushTokenKind = 'apns' | 'fcm';

const MAX_LENGTH = 4_096;
const MAX_APP_ID_LENGTH = 255;
const HEX = /^([0-9a-f]{2})+$/i;
const BASE64 = /^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Refuses what cannot be a device's token. SPEC-GAP: Apple's are bytes, which old clients write in base64 and newer ones in
 * hexadecimal digits; either will do.
 */
export function checkPushToken(kind: PushTokenKind, token: string): void {
  if (token === '' || token.length > MAX_LENGTH) throw new BadRequestError('Empty or invalid length token');
  if (token.includes('\0')) throw new BadRequestError('Invalid characters in token');
  if (kind === 'apns' && !HEX.test(token) && !BASE64.test(token)) throw new BadRequestError('Invalid APNS token');
}

/** Refuses what cannot be the name of an app. */
export function checkAppId(appId: string): void {
  if (appId.length > MAX_APP_ID_LENGTH || !/^[.A-Za-z0-9-]+$/.test(appId)) throw new BadRequestError('Invalid app ID');
}

export function hashPushToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

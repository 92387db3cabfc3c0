import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadImageError, BadRequestError, UserDeactivatedError } from '@parley/shared/errors';
import { avatarChanged, type DomainEvent } from '@parley/shared/events';
import type { AvatarImage, GetAvatarImageRequest, SetAvatarRequest, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { Sharp } from 'sharp';
import { changeAudience } from '../accounts/accessible-users';
import { getOwnUser } from '../accounts/get-own-user';
import { findUser, lockUser } from '../accounts/users.sql';
import { encodeImage, openImage } from '../base/open-image';
import { possibleIds, possibleTexts } from '../base/possible-values';
import { randomKey } from '../base/random-key';
import { botManagerIds } from '../bot-owners/bot-manager-ids';
import type { Context } from '../context';
import { loadRealmSettings } from '../organization/realms.sql';
import { findAvatarBytes, replaceAvatar } from './avatars.sql';
import { requireMayChangeAvatar } from './permissions';

/** Sets the uploaded picture of the caller, a person or a bot. */
export async function setAvatar(ctx: Context, caller: Caller, { files }: SetAvatarRequest): Promise<User> {
  const [upload] = files;
  if (upload === undefined || files.length > 1) throw new BadRequestError('You must upload exactly one avatar.');
  requireMayChangeAvatar(await getOwnUser(ctx, caller), await loadRealmSettings(ctx.db, caller.realmId));
  // Decoded before the transaction: it takes too long for holding the account's lock.
  return changeOwnAvatar(ctx, caller, await makeAvatar(upload));
}

/** Removes the caller's picture. */
export async function removeAvatar(ctx: Context, caller: Caller): Promise<User> {
  requireMayChangeAvatar(await getOwnUser(ctx, caller), await loadRealmSettings(ctx.db, caller.realmId));
  return changeOwnAvatar(ctx, caller, null);
}

/** Sets or removes (null) the caller's picture; returns the changed account. */
function changeOwnAvatar(ctx: Context, { realmId, userId }: Caller, avatar: Avatar | null): Promise<User> {
  return ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    const own = await findUser(tx, realmId, userId);
    if (!own?.isActive) throw new UserDeactivatedError();
    // Nothing to remove.
    if (avatar === null && own.avatarFileName === undefined) return own;
    const { user, events } = await changeAvatar(tx, own, avatar);
    await announce(tx, ...events);
    return user;
  });
}

interface AvatarChange {
  /** The account after the change. */
  user: User;
  events: DomainEvent[];
}

/** Sets or removes (null) the picture of a person or a bot; returns the events to announce. */
export async function changeAvatar(tx: Transaction, user: User, avatar: Avatar | null): Promise<AvatarChange> {
  const { realmId, id: userId, avatarFileName: _former, ...rest } = user;
  const avatarVersion = await replaceAvatar(tx, realmId, userId, avatar);
  const changed: User = {
    ...rest,
    realmId,
    id: userId,
    avatarVersion,
    ...(avatar ? { avatarSource: 'U', avatarFileName: avatar.fileName } : { avatarSource: 'G' }),
  };
  const managerIds = user.isBot ? await botManagerIds(tx, realmId, userId) : [];
  const audience = await changeAudience(tx, user);
  return { user: changed, events: [avatarChanged(realmId, { userId, user: changed, audience, managerIds })] };
}

const NONE: AvatarImage = { bytes: Buffer.alloc(0) };

/** The bytes of a picture, immutable. No authentication: its file name is random. */
export async function getAvatarImage(ctx: Context, request: GetAvatarImageRequest): Promise<AvatarImage> {
  const [realmId] = possibleIds([request.realmId]);
  const [fileName] = possibleTexts([request.fileName]);
  if (realmId === undefined || fileName === undefined) return NONE;
  const bytes = await findAvatarBytes(ctx.db, realmId, fileName, request.isMedium);
  return bytes === null ? NONE : { bytes };
}

const MAX_UPLOAD_MIB = 5;
const SMALL_PX = 100;
const MEDIUM_PX = 500;
/** Matches the checks of the table; pictures hardly ever come near. */
const MAX_SMALL_BYTES = 64 * 1024;
const MAX_MEDIUM_BYTES = 2 * 1024 * 1024;

export interface Avatar {
  /** Random; without extension. */
  fileName: string;
  /** PNG. */
  small: Buffer;
  medium: Buffer;
}

/** An account's picture in two sizes, made of an uploaded one: the square in its middle; the first frame of an animation. */
export async function makeAvatar(upload: Uint8Array): Promise<Avatar> {
  if (upload.length > MAX_UPLOAD_MIB * 1024 * 1024) {
    throw new BadRequestError(REFUSAL.files.tooLarge(String(MAX_UPLOAD_MIB)));
  }
  const { firstFrame } = await openImage(upload);
  const upright = firstFrame.autoOrient();
  return {
    fileName: randomKey(),
    small: await square(upright.clone(), SMALL_PX, MAX_SMALL_BYTES),
    medium: await square(upright.clone(), MEDIUM_PX, MAX_MEDIUM_BYTES),
  };
}

async function square(image: Sharp, sizePx: number, maxBytes: number): Promise<Buffer> {
  const bytes = await encodeImage(image.resize(sizePx, sizePx, { fit: 'cover' }).png());
  if (bytes.length > maxBytes) throw new BadImageError(REFUSAL.files.imageTooLarge);
  return bytes;
}

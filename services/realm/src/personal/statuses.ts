import { announce } from '@parley/shared/bus';
import { checkEmoji, emojiMeant, UNICODE_EMOJI } from '@parley/shared/emoji';
import { BadRequestError } from '@parley/shared/errors';
import { userStatusChanged } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
import type {
  CustomEmoji,
  GetUserStatusRequest,
  StatusEmoji,
  UpdateUserStatusRequest,
  UpdateUserStatusResponse,
  User,
  UserStatus,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter } from '@parley/shared/values';
import { changeAudience } from '../accounts/accessible-users';
import { getOwnUser } from '../accounts/get-own-user';
import { findUserStatus } from '../accounts/statuses.sql';
import { lockUser } from '../accounts/users.sql';
import { requirePerson } from '../base/guards';
import type { Context, Tables } from '../context';
import { listCustomEmojiOf } from '../organization-lists/custom-emoji.sql';
import { accessActivePerson } from '../people/find-user';
import { followPresenceSetting } from '../presence/presence';
import { changeSettings, settingEvents } from '../user-settings/change-settings';
import { maySetStatuses } from './status-permissions';

/** The status of an active person. */
export async function getUserStatus(ctx: Context, caller: Caller, request: GetUserStatusRequest): Promise<UserStatus> {
  const { id } = await accessActivePerson(ctx, caller, request.userId);
  const status = await findUserStatus(ctx.db, caller.realmId, id);
  if (status === null) throw new BadRequestError('No such user');
  return status;
}

/** Sets the status of the caller or, for administrators, of another user. */
export async function updateUserStatus(
  ctx: Context,
  caller: Caller,
  request: UpdateUserStatusRequest,
): Promise<UpdateUserStatusResponse> {
  const holder = await accessHolder(ctx, caller, request.userId);
  const customEmoji = request.emojiName ? await listCustomEmojiOf(ctx.db, caller.realmId) : [];
  const wanted = statusFromInput(request, customEmoji);
  await storeStatus(ctx, holder, wanted);
  return {};
}

/** The user of the status. */
async function accessHolder(ctx: Context, caller: Caller, userId: number | undefined): Promise<User> {
  const own = await getOwnUser(ctx, caller);
  if (userId === undefined) {
    requirePerson(own);
    return own;
  }
  const holder = await accessActivePerson(ctx, caller, userId);
  if (!maySetStatuses(own)) throw new BadRequestError(REFUSAL.requests.mayNot);
  return holder;
}

/** Announced even without changes: setting a status is meant to be noticed. */
async function storeStatus(ctx: Context, user: User, wanted: WantedStatus) {
  const { realmId, id: userId } = user;
  const holder = { realmId, userId };
  const { isAway, ...status } = wanted;
  const nowMs = ctx.clock.now();
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    await lockUser(tx, realmId, userId);
    if (status.statusText !== undefined || status.emoji) await storeTextAndEmoji(prisma, holder, status, nowMs);
    const changed = await changeSettings(tx, holder, isAway === undefined ? {} : { presence_enabled: !isAway });
    const audience = await changeAudience(tx, user);
    const { presence_enabled: isShown } = changed;
    const seen =
      isShown === undefined
        ? []
        : await followPresenceSetting(tx, holder, { isShown: isShown === true, audience, nowMs });
    const statusEvent = userStatusChanged(realmId, { userId, audience, ...wanted });
    await announce(tx, ...settingEvents(user, changed), statusEvent, ...seen);
  });
}

/** Absent values are unchanged. */
async function storeTextAndEmoji(
  prisma: Tables,
  holder: { realmId: number; userId: number },
  { statusText, emoji }: Omit<WantedStatus, 'isAway'>,
  nowMs: number,
): Promise<void> {
  const wanted = {
    ...(statusText !== undefined && { statusText }),
    ...(emoji && { emojiName: emoji.name, emojiCode: emoji.code, reactionType: emoji.reactionType }),
    updatedAt: new Date(nowMs),
  };
  const none = { statusText: '', emojiName: '', emojiCode: '', reactionType: UNICODE_EMOJI };
  await prisma.userStatus.upsert({
    where: { realmId_userId: holder },
    create: { ...holder, ...none, ...wanted },
    update: wanted,
  });
}

const MAX_TEXT_LENGTH = 60;

interface WantedStatus {
  statusText?: string;
  emoji?: StatusEmoji;
  isAway?: boolean;
}

/** The changes in a request; absent means unchanged. The organization's emoji, deactivated ones included, are given. */
export function statusFromInput(request: UpdateUserStatusRequest, customEmoji: readonly CustomEmoji[]): WantedStatus {
  const { isAway } = request;
  const text = request.statusText?.trim();
  if (text !== undefined) checkText(text);
  if (text === undefined && request.emojiName === undefined && isAway === undefined) {
    throw new BadRequestError('Client did not pass any new values.');
  }
  const emoji = emojiFromInput(request, customEmoji);
  return {
    ...(text !== undefined && { statusText: text }),
    ...(emoji && { emoji }),
    ...(isAway !== undefined && { isAway }),
  };
}

function checkText(text: string): void {
  if (codePointLength(text) > MAX_TEXT_LENGTH) {
    throw new BadRequestError(`status_text is too long (limit: ${MAX_TEXT_LENGTH} characters)`);
  }
  const position = findForbiddenCharacter(text);
  if (position !== null) throw new BadRequestError(`Invalid character in status_text, at position ${position}.`);
}

/** Null: unchanged; an empty name clears it. */
function emojiFromInput(
  { emojiName, ...more }: UpdateUserStatusRequest,
  customEmoji: readonly CustomEmoji[],
): StatusEmoji | null {
  if (emojiName === undefined) {
    if (more.emojiCode === undefined && more.reactionType === undefined) return null;
    throw new BadRequestError('Client must pass emoji_name if they pass either emoji_code or reaction_type.');
  }
  if (emojiName === '') return { name: '', code: '', reactionType: UNICODE_EMOJI };
  const emoji = emojiMeant({ emojiName, ...more }, customEmoji);
  checkEmoji(emoji, customEmoji);
  return { name: emojiName, code: emoji.emojiCode, reactionType: emoji.reactionType };
}

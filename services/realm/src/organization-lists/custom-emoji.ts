import { announce } from '@parley/shared/bus';
import { findEmojiCode } from '@parley/shared/emoji';
import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import { customEmojiChanged } from '@parley/shared/events';
import type {
  AddCustomEmojiRequest,
  AddCustomEmojiResponse,
  CustomEmojiImage,
  CustomEmojiList,
  DeactivateCustomEmojiRequest,
  DeactivateCustomEmojiResponse,
  GetCustomEmojiImageRequest,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { loadActor } from '../actors/actor';
import { requireMember } from '../base/guards';
import { possibleIds, possibleTexts } from '../base/possible-values';
import { isUniqueViolation } from '../base/unique-violation';
import type { Context } from '../context';
import { loadRealmGroupSettings } from '../group-settings/complete-settings';
import { changeOrganization } from '../organization/change-organization';
import { listCustomEmojiOf } from './custom-emoji.sql';
import { type EmojiFiles, makeEmojiFiles } from './emoji-files';
import { mayAddEmoji, mayDeactivateEmoji, mayOverrideBuiltIn } from './emoji-permissions';

/** The organization's custom emoji, deactivated ones included. For everybody. */
export async function listCustomEmoji(ctx: Context, { realmId }: Caller): Promise<CustomEmojiList> {
  return { emoji: await listCustomEmojiOf(ctx.db, realmId) };
}

const EMOJI_NAME_IS_UNIQUE = 'custom_emoji_name_is_unique';
const MAX_UPLOAD_MIB = 5;
/** Deactivated ones included: every event of a change carries all. */
const MAX_EMOJI = 3_000;

/** Creates an emoji from an uploaded picture. */
export async function addCustomEmoji(
  ctx: Context,
  caller: Caller,
  request: AddCustomEmojiRequest,
): Promise<AddCustomEmojiResponse> {
  const { name, upload } = await decide(ctx, caller, request);
  // Decoded before the transaction: it takes too long for holding the organization's lock.
  const files = await makeEmojiFiles(upload);
  try {
    return await store(ctx, caller, name, files);
  } catch (error) {
    throw isUniqueViolation(error, EMOJI_NAME_IS_UNIQUE) ? nameTaken() : error;
  }
}

async function decide(ctx: Context, caller: Caller, request: AddCustomEmojiRequest) {
  const author = await loadActor(ctx.db, caller, ctx.clock.now());
  requireMember(author.user);
  const name = emojiNameFromInput(request.name);
  const rights = await loadRealmGroupSettings(ctx.db, caller.realmId);
  if (!mayAddEmoji(author, rights)) throw new InsufficientPermissionError();
  const emoji = await listCustomEmojiOf(ctx.db, caller.realmId);
  if (emoji.some((other) => other.name === name && !other.isDeactivated)) throw nameTaken();
  if (emoji.length >= MAX_EMOJI) throw new BadRequestError(`Too many custom emoji (limit: ${MAX_EMOJI})`);
  return { name, upload: uploadOf(request, name, author.user) };
}

function uploadOf({ files }: AddCustomEmojiRequest, name: string, author: User): Buffer {
  const [upload] = files;
  if (upload === undefined || files.length > 1) throw new BadRequestError(REFUSAL.files.oneFile);
  if (findEmojiCode(name) !== undefined && !mayOverrideBuiltIn(author)) {
    throw new BadRequestError(REFUSAL.emoji.overridesDefault);
  }
  if (upload.length > MAX_UPLOAD_MIB * 1024 * 1024) {
    throw new BadRequestError(REFUSAL.files.tooLarge(String(MAX_UPLOAD_MIB)));
  }
  return upload;
}

function store(ctx: Context, caller: Caller, name: string, { image, still }: EmojiFiles): Promise<{ id: number }> {
  return changeOrganization(ctx, caller, requireMember, async (tx, { id: authorId, realmId }, prisma) => {
    const files = still ? [image, still] : [image];
    await prisma.customEmojiImage.createMany({ data: files.map((file) => ({ realmId, ...file })) });
    const names = { fileName: image.fileName, stillFileName: still?.fileName ?? null };
    const { id } = await prisma.customEmoji.create({
      data: { realmId, name, authorId, ...names, createdAt: new Date(ctx.clock.now()) },
    });
    await announce(tx, customEmojiChanged(realmId, { emoji: await listCustomEmojiOf(tx, realmId) }));
    return { id };
  });
}

function nameTaken(): BadRequestError {
  return new BadRequestError(REFUSAL.emoji.nameTaken);
}

/** Deactivates an emoji; existing uses remain visible. */
export async function deactivateCustomEmoji(
  ctx: Context,
  caller: Caller,
  { name }: DeactivateCustomEmojiRequest,
): Promise<DeactivateCustomEmojiResponse> {
  return changeOrganization(ctx, caller, everybody, async (tx, actor, prisma) => {
    const { realmId } = actor;
    const emoji = (await listCustomEmojiOf(tx, realmId)).find((one) => one.name === name && !one.isDeactivated);
    if (!emoji) throw new BadRequestError(`Emoji '${name}' does not exist`, {}, 404);
    if (!mayDeactivateEmoji(emoji, actor)) {
      throw new BadRequestError(REFUSAL.emoji.notYours);
    }
    await prisma.customEmoji.update({
      where: { realmId_id: { realmId, id: emoji.id } },
      data: { isDeactivated: true },
    });
    await announce(tx, customEmojiChanged(realmId, { emoji: await listCustomEmojiOf(tx, realmId) }));
    return {};
  });
}

/** The emoji's own permission is checked below. */
function everybody(): void {}

const NONE: CustomEmojiImage = { contentType: '', bytes: Buffer.alloc(0) };

/** The bytes of an emoji, immutable. No authentication: its file name is random. */
export async function getCustomEmojiImage(
  ctx: Context,
  request: GetCustomEmojiImageRequest,
): Promise<CustomEmojiImage> {
  const [realmId] = possibleIds([request.realmId]);
  const [fileName] = possibleTexts([request.fileName]);
  if (realmId === undefined || fileName === undefined) return NONE;
  const image = await ctx.prisma.customEmojiImage.findUnique({
    where: { realmId_fileName: { realmId, fileName } },
    select: { contentType: true, bytes: true },
  });
  return image ? { ...image, bytes: Buffer.from(image.bytes) } : NONE;
}

const MAX_LENGTH = 100;

/** The normalized name of a custom emoji: spaces become underscores. */
export function emojiNameFromInput(text: string): string {
  const name = text.trim().replaceAll(' ', '_');
  if (name === '') throw new BadRequestError(REFUSAL.emoji.nameMissing);
  if (!/^[0-9a-z_-]+$/.test(name)) {
    throw new BadRequestError(REFUSAL.emoji.nameCharacters);
  }
  if (!/[0-9a-z]$/.test(name)) throw new BadRequestError(REFUSAL.emoji.nameEnd);
  if (name.length > MAX_LENGTH) throw new BadRequestError(`emoji_name is too long (limit: ${MAX_LENGTH} characters)`);
  return name;
}

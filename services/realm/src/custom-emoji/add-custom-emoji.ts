import { announce } from '@parley/shared/bus';
import { findEmojiCode } from '@parley/shared/emoji';
import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import { customEmojiChanged } from '@parley/shared/events';
import type { AddCustomEmojiRequest, AddCustomEmojiResponse, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { loadActor } from '../actors/load-actor';
import type { Context } from '../context';
import { loadRealmGroupSettings } from '../group-settings/load-realm-group-settings';
import { requireMember } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { isUniqueViolation } from '../unique-violation';
import { EMOJI_NAME_IS_UNIQUE, insertCustomEmoji, insertEmojiImage, listCustomEmojiOf } from './custom-emoji.sql';
import { type EmojiFiles, makeEmojiFiles } from './emoji-files';
import { emojiNameFromInput } from './emoji-name';
import { mayAddEmoji, mayOverrideBuiltIn } from './permissions';

const MAX_UPLOAD_MIB = 5;
/** Deactivated ones included: every event of a change carries all. */
const MAX_EMOJI = 3_000;

/** Adds an emoji made of an uploaded picture. */
export async function addCustomEmoji(
  ctx: Context,
  caller: Caller,
  request: AddCustomEmojiRequest,
): Promise<AddCustomEmojiResponse> {
  const { name, upload } = await decide(ctx, caller, request);
  // Done before the transaction begins: it takes longer than anybody should wait for the organization's row.
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
  if (upload === undefined || files.length > 1) throw new BadRequestError('You must upload exactly one file.');
  if (findEmojiCode(name) !== undefined && !mayOverrideBuiltIn(author)) {
    throw new BadRequestError('Only administrators can override default emoji.');
  }
  if (upload.length > MAX_UPLOAD_MIB * 1024 * 1024) {
    throw new BadRequestError(`Uploaded file is larger than the allowed limit of ${MAX_UPLOAD_MIB} MiB`);
  }
  return upload;
}

function store(ctx: Context, caller: Caller, name: string, { image, still }: EmojiFiles): Promise<{ id: number }> {
  return changeOrganization(ctx, caller, requireMember, async (tx, { id: authorId, realmId }) => {
    await insertEmojiImage(tx, realmId, image);
    if (still) await insertEmojiImage(tx, realmId, still);
    const id = await insertCustomEmoji(tx, {
      realmId,
      name,
      authorId,
      fileName: image.fileName,
      stillFileName: still?.fileName ?? null,
      createdAtMs: ctx.clock.now(),
    });
    await announce(tx, customEmojiChanged(realmId, { emoji: await listCustomEmojiOf(tx, realmId) }));
    return { id };
  });
}

function nameTaken(): BadRequestError {
  return new BadRequestError('A custom emoji with this name already exists.');
}

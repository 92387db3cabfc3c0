import { BadRequestError } from '@parley/shared/errors';
import type {
  BotStorage,
  BotStorageKeys,
  GetBotStorageRequest,
  PutBotStorageRequest,
  PutBotStorageResponse,
  RemoveBotStorageRequest,
  RemoveBotStorageResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { codePointLength } from '@parley/shared/values';
import { lockUser } from '../accounts/users.sql';
import { loadActor } from '../actors/actor';
import { possibleTexts } from '../base/possible-values';
import type { Context } from '../context';
import { deleteEntries, listEntries, type StorageSize, sizeOfStorage, storeEntries } from './bot-storage.sql';

// SPEC-GAP: no bounds are given; GET without keys returns all entries in one answer.
export const STORAGE_LIMITS = { keyLength: 255, keys: 10_000, characters: 1_000_000 };

/** Stores values of the calling bot. */
export async function putBotStorage(
  ctx: Context,
  caller: Caller,
  { entries }: PutBotStorageRequest,
): Promise<PutBotStorageResponse> {
  await requireBot(ctx, caller);
  for (const { key, value } of entries) checkEntry(key, value);
  await ctx.db.transaction(async (tx) => {
    // Serialized: two concurrent calls could exceed the limits together.
    await lockUser(tx, caller.realmId, caller.userId);
    await storeEntries(tx, caller, entries);
    checkSize(await sizeOfStorage(tx, caller));
  });
  return {};
}

/** The calling bot's values of those keys, or all. */
export async function getBotStorage(ctx: Context, caller: Caller, { keys }: GetBotStorageRequest): Promise<BotStorage> {
  await requireBot(ctx, caller);
  const wanted = wantedKeys(keys);
  const entries = await listEntries(ctx.db, caller, wanted && possibleTexts(wanted));
  requireAll(wanted, entries.length);
  return { entries };
}

/** Removes the values of those keys, or all. */
export async function removeBotStorage(
  ctx: Context,
  caller: Caller,
  { keys }: RemoveBotStorageRequest,
): Promise<RemoveBotStorageResponse> {
  await requireBot(ctx, caller);
  const wanted = wantedKeys(keys);
  await ctx.db.transaction(async (tx) => {
    const removed = await deleteEntries(tx, caller, wanted && possibleTexts(wanted));
    requireAll(wanted, removed.length);
  });
  return {};
}

async function requireBot(ctx: Context, caller: Caller): Promise<void> {
  const { user } = await loadActor(ctx.db, caller, ctx.clock.now());
  if (!user.isBot) throw new BadRequestError('This endpoint is for bots only.');
}

function checkEntry(key: string, value: string): void {
  const { keyLength } = STORAGE_LIMITS;
  if (key === '') throw new BadRequestError('Keys cannot be blank');
  if (codePointLength(key) > keyLength) throw new BadRequestError(`Key is too long (limit: ${keyLength} characters)`);
  if (key.includes('\0') || value.includes('\0')) throw new BadRequestError('storage must not contain null bytes');
}

function checkSize({ keys, characters }: StorageSize): void {
  const { keys: maxKeys, characters: limit } = STORAGE_LIMITS;
  if (keys > maxKeys) throw new BadRequestError(`Request exceeds storage limit of ${maxKeys} keys.`);
  if (characters > limit) {
    throw new BadRequestError(
      `Request exceeds storage limit by ${characters - limit} characters. The limit is ${limit} characters.`,
    );
  }
}

/** Distinct keys; null: all. */
function wantedKeys(keys: BotStorageKeys | null): string[] | null {
  return keys && [...new Set(keys.keys)];
}

function requireAll(wanted: readonly string[] | null, found: number): void {
  if (wanted !== null && found < wanted.length) throw new BadRequestError('Key does not exist.');
}

import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, NothingToDoError, UserDeactivatedError } from '@parley/shared/errors';
import { apiKeyRevoked } from '@parley/shared/events';
import type {
  AddOwnApiKeyRequest,
  AddOwnApiKeyResponse,
  GetApiKeysResponse,
  RegenerateApiKeyResponse,
  RevokeApiKeyRequest,
  RevokeApiKeyResponse,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter, groupBy } from '@parley/shared/values';
import { findUser, lockUser } from '../accounts/users.sql';
import { possibleIds } from '../base/possible-values';
import { hashKey, randomKey } from '../base/random-key';
import type { Context } from '../context';
import { removeAllPushTokens } from '../personal/push-tokens.sql';
import { insertApiKey, insertApiKeys, listApiKeys, revokeApiKeys, revokeSessions } from './api-keys.sql';
import { issueBotKey } from './bot-keys';
import { putKeyMadeMail } from './key-made-mail';

/** The caller's valid keys with their labels, without the keys themselves. */
export async function getApiKeys(ctx: Context, { realmId, userId }: Caller): Promise<GetApiKeysResponse> {
  return { keys: await listApiKeys(ctx.db, realmId, userId) };
}

/** Issues one more key to the account, or with an end a session, and returns it. Only its hash is stored, so it cannot be shown again. */
export async function issueApiKey(
  tx: Transaction,
  {
    label = '',
    ...holder
  }: { realmId: number; userId: number; createdAtMs: number; label?: string; expiresAtMs?: number },
): Promise<string> {
  const apiKey = randomKey();
  await insertApiKey(tx, { ...holder, keyHash: hashKey(apiKey), label });
  return apiKey;
}

/** Issues a key to each of new accounts. Nobody learns it; their holders sign in, or make another one. */
export async function issueApiKeys(
  tx: Transaction,
  { realmId, userIds, createdAtMs }: { realmId: number; userIds: readonly number[]; createdAtMs: number },
): Promise<void> {
  const keyed = userIds.map((userId) => ({ realmId, userId, createdAtMs, keyHash: hashKey(randomKey()), label: '' }));
  await insertApiKeys(tx, keyed);
}

/** Ends the sessions of accounts, but for the one with this key. */
export async function endSessions(
  tx: Transaction,
  ended: { realmId: number; userIds: readonly number[]; exceptId?: number },
  nowMs: number,
): Promise<void> {
  const { realmId, userIds, exceptId = 0 } = ended;
  const keys = await revokeSessions(tx, { realmId, userIds, exceptId }, nowMs);
  const byHolder = [...groupBy(keys, ({ userId }) => userId)];
  const events = byHolder.map(([userId, ended]) =>
    apiKeyRevoked(realmId, { userId, keyIds: ended.map(({ id }) => id) }),
  );
  await announce(tx, ...events);
}

const MAX_KEYS = 100;
const MAX_LABEL_LENGTH = 100;

/** Issues one more key to the caller, e.g. for a program. Keys and sessions that exist stay. */
export async function addOwnApiKey(
  ctx: Context,
  { realmId, userId }: Caller,
  { label }: AddOwnApiKeyRequest,
): Promise<AddOwnApiKeyResponse> {
  if (codePointLength(label) > MAX_LABEL_LENGTH || findForbiddenCharacter(label) !== null) {
    throw new BadRequestError(REFUSAL.people.keyName(String(MAX_LABEL_LENGTH)));
  }
  return ctx.db.transaction(async (tx) => {
    await lockUser(tx, realmId, userId);
    const user = await findUser(tx, realmId, userId);
    if (!user?.isActive) throw new UserDeactivatedError();
    if (user.isBot) throw new BadRequestError('Bots have one key.');
    const keys = await listApiKeys(tx, realmId, userId);
    if (keys.length >= MAX_KEYS) throw new BadRequestError(REFUSAL.people.tooManyKeys(String(MAX_KEYS)));
    const made = { label: label.trim(), createdAtMs: ctx.clock.now() };
    const apiKey = await issueApiKey(tx, { realmId, userId, ...made });
    await putKeyMadeMail(tx, user, { label: made.label, areOthersReplaced: false, nowMs: made.createdAtMs });
    return { apiKey };
  });
}

/** Revokes all of the caller's keys and returns a new one. */
export async function regenerateApiKey(ctx: Context, { realmId, userId }: Caller): Promise<RegenerateApiKeyResponse> {
  return ctx.db.transaction(async (tx) => {
    // NOTE: of two concurrent calls, the second revokes the first one's key.
    await lockUser(tx, realmId, userId);
    const user = await findUser(tx, realmId, userId);
    if (!user?.isActive) throw new UserDeactivatedError();
    const apiKey = await replaceApiKeys(ctx, tx, user);
    if (!user.isBot) await putKeyMadeMail(tx, user, { label: '', areOthersReplaced: true, nowMs: ctx.clock.now() });
    return { apiKey };
  });
}

/** Revokes all keys and phone registrations of an account, which the transaction has locked; returns a new key. */
export async function replaceApiKeys(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  tx: Transaction,
  { realmId, id: userId, isBot }: Pick<User, 'realmId' | 'id' | 'isBot'>,
): Promise<string> {
  const holder = { realmId, userId, createdAtMs: clock.now() };
  const keyIds = await revokeApiKeys(tx, holder, null, holder.createdAtMs);
  await removeAllPushTokens(tx, realmId, userId);
  const apiKey = isBot ? await issueBotKey(tx, config.BOT_KEY_SECRET, holder) : await issueApiKey(tx, holder);
  await announce(tx, apiKeyRevoked(realmId, { userId, keyIds }));
  return apiKey;
}

/** Revokes one of the caller's keys, possibly the one used for this call. */
export async function revokeApiKey(
  ctx: Context,
  { realmId, userId }: Caller,
  { keyId }: RevokeApiKeyRequest,
): Promise<RevokeApiKeyResponse> {
  const revokedAtMs = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const keyIds = await revokeApiKeys(tx, { realmId, userId }, possibleIds([keyId]), revokedAtMs);
    if (keyIds.length === 0) throw new NothingToDoError(REFUSAL.people.noKey);
    await announce(tx, apiKeyRevoked(realmId, { userId, keyIds }));
  });
  return {};
}

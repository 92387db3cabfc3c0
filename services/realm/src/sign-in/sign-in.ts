import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import {
  AuthenticationFailedError,
  PasswordAuthDisabledError,
  RateLimitHitError,
  UserDeactivatedError,
} from '@parley/shared/errors';
import type { DevFetchApiKeyRequest, FetchApiKeyRequest, FetchedApiKey } from '@parley/shared/proto';
import { type RealmSettings, ROLES, realmSettingsOf, truncate } from '@parley/shared/values';
import { maySignInByPassword } from '../accounts/permissions';
import { issueApiKey } from '../api-keys/api-keys';
import { deleteEndedSessions } from '../api-keys/api-keys.sql';
import { possibleTexts } from '../base/possible-values';
import type { Context } from '../context';
import { bounceEvents } from '../mail-recipients/bounces';
import { getOpenRealm } from '../organization/change-organization';
import { noteDevice, type SignInOrigin } from './new-device';
import { countFailure, findAccountByLoginName, type SignInAccount } from './sign-in.sql';
import { tryPassword } from './try-password';

/** Compares a password outside; null: it is wrong there. Otherwise finds, or makes, the account of who signs in. */
export type OutsidePasswords = (loginName: string, password: string) => Promise<(() => Promise<SignInAccount>) | null>;

/** The place outside where people of an organization have passwords; null: there is none. */
export type FindOutsidePasswords = (realmId: number) => Promise<OutsidePasswords | null>;

/** Signs in with a password: issues one more key; earlier keys stay. Failures are counted for the audit log. */
export async function fetchApiKey(
  ctx: Context,
  request: FetchApiKeyRequest,
  clientAddress = '',
  findOutside: FindOutsidePasswords = async () => null,
): Promise<FetchedApiKey> {
  const place = await findSignInAccount(ctx, request);
  const { realmId, account } = place;
  const outside = await findOutside(realmId);
  if (!maySignInByPassword(place.settings, ROLES.owner) && !outside) throw new PasswordAuthDisabledError();
  const { verdict, findHolder } = await tryPasswords(ctx, request, place, outside);
  if (findHolder === null) {
    const failure = { realmId, userId: account?.userId ?? 0, address: clientAddress };
    await countFailure(ctx.db, failure, ctx.clock.now());
  }
  if ('retryAfterSecs' in verdict) throw new RateLimitHitError(verdict.retryAfterSecs);
  if (findHolder === null) throw new AuthenticationFailedError();
  const { holder, isOutsiders } = await findHolder();
  // Only who knows the password learns that it is not used here.
  if (!isOutsiders && !maySignInByPassword(place.settings, holder.role)) throw new PasswordAuthDisabledError();
  return signIn(ctx, holder, originOf(request, clientAddress));
}

/** Tries the account's own password, then the one outside; `findHolder` null: both are wrong. */
async function tryPasswords(
  ctx: Context,
  { username, password, address }: FetchApiKeyRequest,
  { realmId, settings, account }: SignInPlace,
  outside: OutsidePasswords | null,
) {
  const found: { take: (() => Promise<SignInAccount>) | null } = { take: null };
  const isRightElsewhere = async () => {
    found.take = outside && (await outside(username.trim(), password));
    return found.take !== null;
  };
  const isOwnTried = account !== null && (outside === null || maySignInByPassword(settings, account.role));
  const passwordHash = isOwnTried ? account.passwordHash : null;
  const whose = { realmId, loginName: username, address, password, userId: account?.userId ?? null, passwordHash };
  const verdict = await tryPassword(ctx, { ...whose, ...(outside && { isRightElsewhere }) });
  const findHolder = async () => ({
    holder: found.take ? await found.take() : (account as SignInAccount),
    isOutsiders: found.take !== null,
  });
  return { verdict, findHolder: verdict.isRight ? findHolder : null };
}

/** Signs in without a password. The gateway calls it on development servers only. */
export async function devFetchApiKey(
  ctx: Context,
  request: DevFetchApiKeyRequest,
  clientAddress = '',
): Promise<FetchedApiKey> {
  const { settings, account } = await findSignInAccount(ctx, request);
  if (account === null || !settings.authentication_methods.Dev) throw new AuthenticationFailedError();
  return signIn(ctx, account, originOf(request, clientAddress));
}

function originOf(
  { label, device, isSession }: Pick<FetchApiKeyRequest, 'label' | 'device' | 'isSession'>,
  clientAddress: string,
) {
  return { label, device, isSession, clientAddress };
}

interface SignInPlace {
  realmId: number;
  settings: RealmSettings;
  /** The account of the login name, if any. */
  account: SignInAccount | null;
}

/** The organization, and the account that signs in. */
async function findSignInAccount(
  ctx: Context,
  { subdomain, username }: { subdomain: string; username: string },
): Promise<SignInPlace> {
  const realm = await getOpenRealm(ctx, subdomain);
  const [loginName] = possibleTexts([username.trim()]);
  const account = loginName === undefined ? null : await findAccountByLoginName(ctx.db, realm.id, loginName);
  return { realmId: realm.id, settings: realmSettingsOf(realm), account };
}

const MAX_LABEL_LENGTH = 100;
const DAY_MS = 24 * 60 * 60_000;

/** Issues a key, or a session, after a successful sign-in; only the holder learns that the account is deactivated. */
async function signIn(
  ctx: Context,
  account: SignInAccount,
  { isSession = false, ...origin }: SignInOrigin & { isSession?: boolean | undefined },
): Promise<FetchedApiKey> {
  if (!account.isActive) throw new UserDeactivatedError();
  return ctx.db.transaction((tx) => issueSignInKey(ctx, tx, account, { ...origin, isSession }));
}

/** Issues a key, or a session that ends after `SESSION_DAYS` and after `longestMs` at most, to an active account. */
export async function issueSignInKey(
  ctx: Context,
  tx: Transaction,
  { realmId, userId, deliveryEmail }: Pick<SignInAccount, 'realmId' | 'userId' | 'deliveryEmail'>,
  { isSession, longestMs = Infinity, ...origin }: SignInOrigin & { isSession: boolean; longestMs?: number },
): Promise<FetchedApiKey> {
  const { clock, config } = ctx;
  const createdAtMs = clock.now();
  const end = isSession ? { expiresAtMs: createdAtMs + Math.min(config.SESSION_DAYS * DAY_MS, longestMs) } : {};
  const key = { realmId, userId, createdAtMs, label: truncate(origin.label, MAX_LABEL_LENGTH, '…'), ...end };
  if (isSession) await deleteEndedSessions(tx, { realmId, userId });
  const apiKey = await issueApiKey(tx, key);
  await noteDevice(tx, { realmId, userId, deliveryEmail }, { ...origin, label: key.label }, createdAtMs);
  await announce(tx, ...(await bounceEvents(ctx, tx, { realmId, userId })));
  return { apiKey, deliveryEmail, userId, ...end };
}

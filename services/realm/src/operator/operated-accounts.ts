import type { Sql, Transaction } from '@parley/shared/db';
import { BadRequestError, UserDeactivatedError } from '@parley/shared/errors';
import type {
  AddApiKeyRequest,
  GetOperatedRequest,
  NewAccount,
  Operated,
  ResetPasswordRequest,
  ResetPasswordResponse,
  User,
} from '@parley/shared/proto';
import { codePointLength, ROLES } from '@parley/shared/values';
import { checkPassword, hashPassword } from '../accounts/password';
import { findUser, findUsersByAddresses, lockUser } from '../accounts/users.sql';
import { issueApiKey, replaceApiKeys } from '../api-keys/api-keys';
import { possibleTexts } from '../base/possible-values';
import { randomKey } from '../base/random-key';
import type { Context } from '../context';
import { findBounce } from '../mail-recipients/bounces.sql';
import { getRealm } from '../organization/change-organization';
import { findFirstActive, storePasswordHash } from './operator.sql';

/** The organization, the user in whose name the operator acts, and the subject. For the operator's command. */
export async function getOperated(ctx: Context, request: GetOperatedRequest): Promise<Operated> {
  const { subdomain, actorEmail, userEmail } = request;
  const realm = await getRealm(ctx, { subdomain });
  const actorId =
    actorEmail === undefined ? await findOwner(ctx, realm.id) : await findActor(ctx, realm.id, actorEmail);
  const user = userEmail === undefined ? null : await findAccount(ctx, realm.id, userEmail);
  const bounce = user && (await findBounce(ctx.db, realm.id, user.id));
  const mailBounce = bounce && { reason: bounce.reason, bouncedAtMs: bounce.bouncedAtMs };
  return { realm, actorId, user, mailBounce };
}

async function findOwner(ctx: Context, realmId: number): Promise<number> {
  const ownerId = await findFirstActive(ctx.db, realmId, ROLES.owner);
  if (ownerId === null) throw new BadRequestError('This organization has no active owner');
  return ownerId;
}

async function findActor(ctx: Context, realmId: number, email: string): Promise<number> {
  const { id, isActive, isBot } = await findAccount(ctx, realmId, email);
  if (!isActive || isBot) throw new BadRequestError('Only active people can be acted as');
  return id;
}

const MAX_LABEL_LENGTH = 100;

/** Issues one more key to a person, without their password. For the operator's command. */
export async function addApiKey(ctx: Context, { label, ...named }: AddApiKeyRequest): Promise<NewAccount> {
  if (codePointLength(label) > MAX_LABEL_LENGTH) {
    throw new BadRequestError(`label is too long (limit: ${MAX_LABEL_LENGTH} characters)`);
  }
  return ctx.db.transaction(async (tx) => {
    const { realmId, id: userId, email } = await holdActivePerson(tx, named);
    const apiKey = await issueApiKey(tx, { realmId, userId, label, createdAtMs: ctx.clock.now() });
    return { realmId, userId, email, apiKey };
  });
}

/**
 * Changes a person's password, revokes all keys, which also ends their queues, and issues a new one: a person with the old password may
 * have keys, too. For the operator's command.
 */
export async function resetPassword(
  ctx: Context,
  { password = randomKey(), ...named }: ResetPasswordRequest,
): Promise<ResetPasswordResponse> {
  await checkPassword(password);
  const passwordHash = await hashPassword(password);
  return ctx.db.transaction(async (tx) => {
    const user = await holdActivePerson(tx, named);
    await storePasswordHash(tx, { realmId: user.realmId, userId: user.id }, passwordHash);
    return { userId: user.id, password, apiKey: await replaceApiKeys(ctx, tx, user) };
  });
}

/** The account of a real or API address, active or not, regardless of visibility. System bots are excluded. */
export async function findAccount({ db }: { db: Sql }, realmId: number, email: string): Promise<User> {
  const [user] = await findUsersByAddresses(db, realmId, possibleTexts([email.trim()]));
  if (!user || user.isSystemBot) throw new BadRequestError('No such user');
  return user;
}

interface NamedAccount {
  subdomain: string;
  email: string;
}

/** Locks the account. Refuses bots and deactivated users. */
async function holdActivePerson(tx: Transaction, { subdomain, email }: NamedAccount): Promise<User> {
  const { id: realmId } = await getRealm({ db: tx }, { subdomain });
  const { id } = await findAccount({ db: tx }, realmId, email);
  await lockUser(tx, realmId, id);
  const user = (await findUser(tx, realmId, id)) as User;
  if (user.isBot) throw new BadRequestError('This is the account of a bot');
  if (!user.isActive) throw new UserDeactivatedError();
  return user;
}

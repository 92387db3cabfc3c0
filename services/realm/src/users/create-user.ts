import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, RealmDeactivatedError } from '@parley/shared/errors';
import type { CreateUserRequest, NewAccount } from '@parley/shared/proto';
import type { Context } from '../context';
import { newcomerEvents } from '../invited-accounts/join-notices';
import { possibleTexts } from '../possible-values';
import { getRealm } from '../realms/get-realm';
import { isUniqueViolation } from '../unique-violation';
import { storeOperatorRights } from './account-state.sql';
import { checkNameIsFree } from './check-name-is-free';
import { checkNewEmail } from './check-new-email';
import { userFromInput, type WantedUser } from './new-user';
import { type Account, openAccount } from './open-account';
import { hashPassword } from './password';
import { EMAIL_IS_UNIQUE, findUsersByEmails } from './users.sql';

/** Makes an account, subscribes people to the default channels, and issues an API key. For the operator's command. */
export async function createUser(ctx: Context, request: CreateUserRequest): Promise<NewAccount> {
  const wanted = userFromInput(request);
  const realm = await getRealm(ctx, { subdomain: request.subdomain });
  if (realm.isDeactivated) throw new RealmDeactivatedError();
  if (wanted.bot === null) await checkNewPerson(ctx, realm.id, wanted);
  const account = await accountOf(ctx, realm.id, wanted);
  try {
    return await ctx.db.transaction(async (tx) => {
      const { newAccount, events, user } = await openAccount(tx, account);
      if (request.mayCreateUsers) await letCreateUsers(tx, newAccount);
      const isWelcomed = request.isWelcomed && wanted.bot === null;
      await announce(tx, ...events, ...(isWelcomed ? await newcomerEvents(tx, realm.id, user) : []));
      return newAccount;
    });
  } catch (error) {
    throw EMAIL_IS_UNIQUE.some((index) => isUniqueViolation(error, index)) ? emailTaken(wanted) : error;
  }
}

function letCreateUsers(tx: Transaction, { realmId, userId }: NewAccount): Promise<void> {
  return storeOperatorRights(tx, realmId, userId, { mayCreateUsers: true, mayChangeEmails: null });
}

async function checkNewPerson(ctx: Context, realmId: number, { fullName, email }: WantedUser): Promise<void> {
  await checkNameIsFree(ctx.db, realmId, fullName, null);
  await checkNewEmail(ctx.db, realmId, email);
}

async function accountOf(ctx: Context, realmId: number, wanted: WantedUser): Promise<Account> {
  const { email, fullName, role, bot, password } = wanted;
  return {
    realmId,
    email,
    fullName,
    role,
    bot: bot && {
      ...bot,
      ownerId: await findOwner(ctx, realmId, bot.ownerEmail),
      keySecret: ctx.config.BOT_KEY_SECRET,
    },
    passwordHash: password === null ? null : await hashPassword(password),
    createdAtMs: ctx.clock.now(),
  };
}

async function findOwner(ctx: Context, realmId: number, email: string): Promise<number> {
  const [owner] = await findUsersByEmails(ctx.db, realmId, possibleTexts([email]));
  if (!owner) throw new BadRequestError('No such user');
  if (!owner.isActive) throw new BadRequestError('User is deactivated');
  if (owner.isBot) throw new BadRequestError("Bots can't own other bots");
  return owner.id;
}

function emailTaken({ bot }: WantedUser): BadRequestError {
  return new BadRequestError(bot ? 'Username already in use' : 'Email is already in use.');
}

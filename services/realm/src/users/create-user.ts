import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import {
  BadRequestError,
  EmailInUseError,
  PasswordAuthDisabledError,
  RealmDeactivatedError,
} from '@parley/shared/errors';
import { putMail } from '@parley/shared/mail';
import type { CreateUserRequest, NewAccount, Organization, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { BOT_TYPES, isWebUrl, ROLE_VALUES, realmSettingsOf, WEBHOOK_INTERFACES } from '@parley/shared/values';
import { storeOperatorRights } from '../accounts/account-state.sql';
import { emailFromInput } from '../accounts/email-address';
import { checkPassword, hashPassword } from '../accounts/password';
import { maySignInByPassword } from '../accounts/permissions';
import { EMAIL_IS_UNIQUE, findUsersByEmails } from '../accounts/users.sql';
import { possibleTexts } from '../base/possible-values';
import { isUniqueViolation } from '../base/unique-violation';
import type { Context } from '../context';
import { newcomerEvents } from '../notices/join-notices';
import { getRealm } from '../organization/change-organization';
import { lockRealm } from '../organization/realms.sql';
import { checkNewEmail } from '../people/change-email';
import { checkNameIsFree, fullNameFromInput } from '../people/full-name';
import { type Account, openAccount } from './open-account';

/** Creates an account, subscribes people to the default channels, and issues an API key. For the operator's command. */
export async function createUser(ctx: Context, request: CreateUserRequest): Promise<NewAccount> {
  const wanted = userFromInput(request);
  if (wanted.password !== null) await checkPassword(wanted.password);
  const realm = await getRealm(ctx, { subdomain: request.subdomain });
  if (realm.isDeactivated) throw new RealmDeactivatedError();
  if (wanted.bot === null) await checkNewPerson(ctx, realm.id, wanted);
  const isLinkMailed = request.isPasswordLinkMailed === true;
  if (isLinkMailed) await checkMailIsUseful(ctx, realm, wanted);
  const account = await accountOf(ctx, realm.id, wanted);
  try {
    return await ctx.db.transaction(async (tx) => {
      await lockRealm(tx, realm.id);
      const { newAccount, events, user } = await openAccount(tx, account);
      if (request.mayCreateUsers) await letCreateUsers(tx, newAccount);
      if (isLinkMailed) await mailPasswordLinks(tx, [user], account.createdAtMs);
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

/** People need a way to sign in: by a password that they set, or by one of the organization's others. */
export async function checkMailIsUseful(
  ctx: Context,
  realm: Organization,
  { bot, password, role }: Pick<WantedUser, 'bot' | 'password' | 'role'>,
): Promise<void> {
  if (bot !== null) throw new BadRequestError('Bots have no password');
  if (password !== null) throw new BadRequestError('Give a password, or mail a link to set one');
  if (maySignInByPassword(realmSettingsOf(realm), role) || realm.hasLdap) return;
  if ((await ctx.prisma.oidcProvider.count({ where: { realmId: realm.id } })) === 0) {
    throw new PasswordAuthDisabledError();
  }
}

/** Queues a mail to each new person, by which they set their first password. */
export async function mailPasswordLinks(tx: Transaction, users: readonly User[], nowMs: number): Promise<void> {
  const template = 'new-account';
  const mails = users.map(({ realmId, id: userId, deliveryEmail: recipient }) => {
    return { realmId, template, recipient, content: { userId }, nowMs };
  });
  await putMail(tx, ...mails);
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
  if (!owner.isActive) throw new BadRequestError(REFUSAL.people.deactivated);
  if (owner.isBot) throw new BadRequestError("Bots can't own other bots");
  return owner.id;
}

function emailTaken({ bot }: WantedUser): BadRequestError {
  return bot ? new BadRequestError(REFUSAL.bots.usernameTaken) : new EmailInUseError();
}

const TYPES: readonly number[] = Object.values(BOT_TYPES);
const GENERIC_INTERFACE = 1;
const MAX_URL_LENGTH = 2_048;

interface WantedUser {
  email: string;
  fullName: string;
  role: number;
  password: string | null;
  bot: { type: number; ownerEmail: string; service: { payloadUrl: string; interface: number } | null } | null;
}

/** The validated account of a request. */
export function userFromInput(request: CreateUserRequest): WantedUser {
  const fullName = fullNameFromInput(request.fullName);
  const email = emailFromInput(request.email);
  if (!(ROLE_VALUES as readonly number[]).includes(request.role)) throw new BadRequestError('Invalid role');
  const bot = request.botType === undefined ? null : botFromInput(request.botType, request);
  if (bot === null && request.botOwnerEmail !== undefined) throw new BadRequestError('Only bots have an owner');
  return { email, fullName, role: request.role, password: request.password ?? null, bot };
}

function botFromInput(type: number, request: CreateUserRequest): WantedUser['bot'] {
  if (!TYPES.includes(type)) throw new BadRequestError('Invalid bot type');
  if (type === BOT_TYPES.embedded) throw new BadRequestError('Embedded bots are not enabled.');
  if (request.password !== undefined) throw new BadRequestError('Bots have no password');
  if (request.botOwnerEmail === undefined) throw new BadRequestError('A bot needs an owner');
  const service = type === BOT_TYPES.outgoingWebhook ? serviceFromInput(request) : null;
  return { type, ownerEmail: request.botOwnerEmail, service };
}

function serviceFromInput(request: CreateUserRequest) {
  const payloadUrl = request.payloadUrl ?? '';
  const interfaceType = request.interface ?? GENERIC_INTERFACE;
  if (payloadUrl.length > MAX_URL_LENGTH || !isWebUrl(payloadUrl))
    throw new BadRequestError('payload_url is not a URL');
  if (!WEBHOOK_INTERFACES.includes(interfaceType)) throw new BadRequestError('Invalid interface type');
  return { payloadUrl, interface: interfaceType };
}

import type { Transaction } from '@parley/shared/db';
import { BadRequestError, UserDeactivatedError } from '@parley/shared/errors';
import { putMail } from '@parley/shared/mail';
import type { User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { ROLES } from '@parley/shared/values';
import { emailFromInput, objectionToEmail } from '../accounts/email-address';
import { findUser } from '../accounts/users.sql';
import { possibleTexts } from '../base/possible-values';
import type { Tables } from '../context';
import { openOutsideAccount } from '../directory/outside-accounts';
import { listAllowedDomainsOf } from '../organization-lists/allowed-domains.sql';
import { findAccountByLoginName } from '../sign-in/sign-in.sql';
import { fullNameOf, roleOf, type SignedIn } from './claims';
import type { Provider } from './provider-rows';

export interface Identified {
  user: User;
  /** The role that the provider has given at a former sign-in; null: none. */
  givenRole: number | null;
  isNew: boolean;
}

/** The link of whom the provider has signed in; null: none yet. */
export function findIdentity(
  prisma: Tables,
  realmId: number,
  { issuer, subject }: Pick<SignedIn, 'issuer' | 'subject'>,
) {
  return prisma.oidcIdentity.findUnique({ where: { realmId_issuer_subject: { realmId, issuer, subject } } });
}

/**
 * The account of whom the provider has signed in: the linked one, else the one with the confirmed address, which is linked now, else a new one if
 * the provider's policy allows it. The transaction has locked the organization unless the identity was linked before. Throws in words.
 */
export async function identify(
  tx: Transaction,
  prisma: Tables,
  provider: Provider,
  { signedIn, nowMs }: { signedIn: SignedIn; nowMs: number },
): Promise<Identified> {
  const { realmId } = provider;
  const identity = await findIdentity(prisma, realmId, signedIn);
  if (identity) {
    const user = usable(await findUser(tx, realmId, identity.userId));
    return { user, givenRole: identity.givenRole, isNew: false };
  }
  const email = confirmedAddress(signedIn);
  const holder = await findAccountByLoginName(tx, realmId, email);
  const user = holder
    ? await accountToLink(tx, prisma, provider, { userId: holder.userId, nowMs })
    : await newAccount(tx, provider, { signedIn, email, nowMs });
  const { issuer, subject } = signedIn;
  await prisma.oidcIdentity.create({ data: { realmId, issuer, subject, userId: user.id, linkedAt: new Date(nowMs) } });
  return { user, givenRole: null, isNew: holder === null };
}

function usable(user: User | null): User {
  if (user === null || user.isBot) throw new BadRequestError(REFUSAL.providers.notForAccount);
  if (!user.isActive) throw new UserDeactivatedError();
  return user;
}

/** An address that the provider does not confirm could be anybody's. */
function confirmedAddress({ address }: SignedIn): string {
  if (address === null) {
    throw new BadRequestError(REFUSAL.providers.noAddress);
  }
  const [email] = possibleTexts([address.email]);
  if (!address.isVerified || email === undefined) {
    throw new BadRequestError(REFUSAL.providers.unconfirmedAddress);
  }
  return emailFromInput(email);
}

/** Once: an account that belongs to another identity is not opened to a second one that has its address. */
async function accountToLink(
  tx: Transaction,
  prisma: Tables,
  { realmId, displayName }: Provider,
  { userId, nowMs }: { userId: number; nowMs: number },
): Promise<User> {
  const user = usable(await findUser(tx, realmId, userId));
  if ((await prisma.oidcIdentity.count({ where: { realmId, userId } })) > 0) {
    throw new BadRequestError(REFUSAL.providers.otherIdentity);
  }
  const content = { userId, provider: displayName };
  await putMail(tx, { realmId, template: 'identity-linked', recipient: user.deliveryEmail, content, nowMs });
  return user;
}

async function newAccount(
  tx: Transaction,
  provider: Provider,
  { signedIn: { claims }, email, nowMs }: { signedIn: SignedIn; email: string; nowMs: number },
): Promise<User> {
  const { realmId, newAccounts } = provider;
  if (newAccounts === 'invite_only') {
    throw new BadRequestError(REFUSAL.providers.noAccount);
  }
  if (newAccounts === 'allowed_domains') {
    const settings = { emails_restricted_to_domains: true, disallow_disposable_email_addresses: true };
    const domains = await listAllowedDomainsOf(tx, realmId);
    if (objectionToEmail(email, { settings, domains }) !== null) {
      throw new BadRequestError(REFUSAL.providers.otherDomain);
    }
  }
  const role = roleOf(claims, provider, null) ?? ROLES.member;
  return openOutsideAccount(tx, { realmId, email, fullName: fullNameOf(claims), role }, nowMs);
}

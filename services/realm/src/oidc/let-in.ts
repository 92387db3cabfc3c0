import type { Sql, Transaction } from '@parley/shared/db';
import { prismaTransaction } from '@parley/shared/prisma';
import type { FetchedApiKey, User } from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import { findUser } from '../accounts/users.sql';
import type { Act } from '../audit/with-audit';
import { recordedDatabase } from '../audit/with-audit';
import { hashKey } from '../base/random-key';
import type { Context, Tables } from '../context';
import { followOutsideRole } from '../directory/outside-accounts';
import { followOutsideGroups, outsideGroupChanges } from '../directory/outside-memberships';
import { lockRealm } from '../organization/realms.sql';
import type { SignInOrigin } from '../sign-in/new-device';
import { issueSignInKey } from '../sign-in/sign-in';
import { findAccountByLoginName } from '../sign-in/sign-in.sql';
import type { Begun } from './begin-sign-in';
import { groupsOf, isLeftOut, roleOf, type SignedIn } from './claims';
import { findIdentity, type Identified, identify } from './identities';
import { insertProviderSession } from './oidc.sql';
import { type Provider, sourceOf } from './provider-rows';

/** A provider's yes holds for this long: then the browser asks it again. */
const SESSION_MS = 24 * 3_600_000;

export interface LetIn {
  user: User;
  isNew: boolean;
  /** Null: a login token is wanted, whose session is made later. */
  key: FetchedApiKey | null;
}

interface Entry {
  call: Call;
  provider: Provider;
  signedIn: SignedIn;
  wanted: Begun['wanted'];
  origin: SignInOrigin;
}

/**
 * Lets in whom a provider has signed in: finds, links or makes the account, gives it the groups and the role of the claims, and issues the session or
 * key. One transaction, recorded as one act.
 */
export async function letIn(ctx: Context, entry: Entry): Promise<LetIn> {
  const { call, provider, signedIn } = entry;
  const { realmId } = provider;
  const isChange = await changesSomething(ctx, provider, signedIn);
  let signedInIds: number[] = [];
  const act: Act<unknown> = {
    name: 'sign-in',
    touches: { kind: 'user', ids: () => signedInIds },
    ...(isChange && {
      changes: {
        user: async ({ tx }) => (await concerned(ctx, tx, provider, signedIn)).userIds,
        group: async ({ tx }) => (await concerned(ctx, tx, provider, signedIn)).groupIds,
      },
      makes: ['user'],
    }),
  };
  const db = recordedDatabase(ctx, act, { method: 'finishOidcSignIn', call, request: { realmId } });
  return prismaTransaction(db, ctx.prisma, async (tx, prisma) => {
    if (isChange) await lockRealm(tx, realmId);
    const nowMs = ctx.clock.now();
    const identified = await identify(tx, prisma, provider, { signedIn, nowMs });
    const { user, isNew } = identified;
    signedInIds = [user.id];
    if (isChange) await followClaims(tx, prisma, { provider, signedIn, identified, nowMs });
    return { user, isNew, key: await issue(ctx, tx, entry, user) };
  });
}

/** Whether the sign-in does more than issuing a session; most do not, and need not wait for each other. */
async function changesSomething(ctx: Context, provider: Provider, signedIn: SignedIn): Promise<boolean> {
  const { realmId } = provider;
  const identity = await findIdentity(ctx.prisma, realmId, signedIn);
  const user = identity && (await findUser(ctx.db, realmId, identity.userId));
  if (!identity || !user?.isActive) return true;
  const role = roleOf(signedIn.claims, provider, identity.givenRole);
  if (role !== null && role !== user.role) return true;
  if (identity.givenRole !== givenRoleOf(provider, signedIn, identity.givenRole)) return true;
  return (await groupIdsOf(ctx.db, provider, signedIn, user.id)).length > 0;
}

/** The existing account and the groups that the sign-in may change, for the audit log. */
async function concerned({ prisma }: Context, tx: Transaction, provider: Provider, signedIn: SignedIn) {
  const { realmId } = provider;
  const { email } = signedIn.address ?? {};
  const identity = await findIdentity(prisma, realmId, signedIn);
  const holder =
    identity ?? (email?.includes('\0') === false ? await findAccountByLoginName(tx, realmId, email) : null);
  const userId = holder?.userId ?? null;
  return { userIds: userId === null ? [] : [userId], groupIds: await groupIdsOf(tx, provider, signedIn, userId ?? 0) };
}

async function groupIdsOf(sql: Sql, provider: Provider, { claims }: SignedIn, userId: number): Promise<number[]> {
  const wanted = groupsOf(claims, provider);
  if (wanted === null) return [];
  const { added, removed } = await outsideGroupChanges(sql, sourceOf(provider), userId, wanted);
  return [...added, ...removed];
}

/** The role that a rule gives; null: none does. */
function givenRoleOf(provider: Provider, { claims }: SignedIn, former: number | null): number | null {
  return isLeftOut(claims, provider.rolesClaim) ? former : roleOf(claims, provider, null);
}

interface Followed {
  provider: Provider;
  signedIn: SignedIn;
  identified: Identified;
  nowMs: number;
}

async function followClaims(
  tx: Transaction,
  prisma: Tables,
  { provider, signedIn, identified: { user, givenRole }, nowMs }: Followed,
): Promise<void> {
  const { realmId } = provider;
  const { issuer, subject, claims } = signedIn;
  const role = roleOf(claims, provider, givenRole);
  if (role !== null) await followOutsideRole(tx, user, role, nowMs);
  const where = { realmId_issuer_subject: { realmId, issuer, subject } };
  await prisma.oidcIdentity.update({ where, data: { givenRole: givenRoleOf(provider, signedIn, givenRole) } });
  const groupIds = groupsOf(claims, provider);
  if (groupIds !== null) await followOutsideGroups(tx, sourceOf(provider), { userId: user.id, groupIds }, nowMs);
}

async function issue(
  ctx: Context,
  tx: Transaction,
  { provider, signedIn, wanted, origin }: Entry,
  user: User,
): Promise<FetchedApiKey | null> {
  if (wanted === 'login_token') return null;
  return issueProviderKey(ctx, tx, user, {
    ...{ providerId: provider.id, subject: signedIn.subject, sid: signedIn.sid },
    ...{ isSession: wanted === 'session', ...origin },
  });
}

export interface WantedKey extends SignInOrigin {
  providerId: number;
  subject: string;
  sid: string | null;
  isSession: boolean;
}

/** Issues a key, or a session that ends a day later at most, which the provider can end. */
export async function issueProviderKey(
  ctx: Context,
  tx: Transaction,
  { realmId, id: userId, deliveryEmail }: User,
  { isSession, providerId, subject, sid, ...origin }: WantedKey,
): Promise<FetchedApiKey> {
  const account = { realmId, userId, deliveryEmail };
  const issued = await issueSignInKey(ctx, tx, account, { ...origin, isSession, longestMs: SESSION_MS });
  await insertProviderSession(tx, { realmId, userId, providerId, subject, sid }, hashKey(issued.apiKey));
  return issued;
}

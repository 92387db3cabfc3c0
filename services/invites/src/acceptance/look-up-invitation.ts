import type { InvitationFound, LookUpInvitationRequest } from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import type { Context } from '../context';
import { noSuchInvitation } from '../invitations/inviter';
import { findOpenLink } from '../invitations/open-invitations';
import { hashKey, KEY_PATTERN } from '../keys/invitation-keys';
import { findAcceptable } from './accepted.sql';

/** The terms of the invitation with that key. Throws "No such invitation" for every invalid key. */
export async function lookUpInvitation(
  ctx: Context,
  call: Call,
  { realmId, key }: LookUpInvitationRequest,
): Promise<InvitationFound> {
  const subject = await accessKey(ctx, realmId, key);
  const invitation = await findSubject(ctx, realmId, subject);
  if (!invitation) throw noSuchInvitation();
  const facts = await ctx.services.realm.getAcceptanceFacts(call, { realmId, emails: [] });
  const { organizationName, subdomain, emailAddressVisibility, isPasswordNeeded } = facts;
  const { invitedAs, expiresAtMs } = invitation;
  return {
    ...(invitation.email !== null && { email: invitation.email }),
    ...(expiresAtMs !== null && { expiresAtMs }),
    ...{ invitedAs, organizationName, subdomain, emailAddressVisibility, isPasswordNeeded },
  };
}

interface Subject {
  invitedAs: number;
  expiresAtMs: number | null;
  /** Null: a reusable link. */
  email: string | null;
}

async function findSubject(
  { db, prisma, clock }: Context,
  realmId: number,
  { invitationId, linkId }: KeySubject,
): Promise<Subject | null> {
  const nowMs = clock.now();
  if (linkId === null) return findAcceptable(db, realmId, invitationId as number, nowMs);
  const link = await findOpenLink(prisma, realmId, linkId, nowMs);
  return link && { invitedAs: link.invitedAs, expiresAtMs: link.expiresAt?.getTime() ?? null, email: null };
}

/** The subject of a key: exactly one of them is not null. */
interface KeySubject {
  invitationId: number | null;
  linkId: number | null;
}

/** The subject of a key, used or not. Throws "No such invitation". */
export async function accessKey(
  { prisma }: Pick<Context, 'prisma'>,
  realmId: number,
  key: string,
): Promise<KeySubject> {
  if (!KEY_PATTERN.test(key)) throw noSuchInvitation();
  const subject = await prisma.invitationKey.findUnique({
    where: { realmId_keyHash: { realmId, keyHash: hashKey(key) } },
    select: { invitationId: true, linkId: true },
  });
  if (!subject) throw noSuchInvitation();
  return subject;
}

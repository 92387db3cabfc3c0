import type { Tables } from '../context';

// Invitations and links that can be used at a given time.

/** An e-mail invitation that can be accepted; excludes those that came by a link. The lists in invitations.sql.ts have the same rule. */
export function isOpen(realmId: number, nowMs: number) {
  return { realmId, state: 'open', linkId: null, ...isUnexpired(nowMs) };
}

function isUnexpired(nowMs: number) {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(nowMs) } }] };
}

const INVITATION = {
  id: true,
  email: true,
  referrerId: true,
  invitedAs: true,
  notifiesReferrer: true,
  createdAt: true,
  validMinutes: true,
  expiresAt: true,
} as const;

export type OpenInvitation = NonNullable<Awaited<ReturnType<typeof findOpenInvitation>>>;

/** The invitation; null when none of that id can be accepted. */
export function findOpenInvitation(prisma: Tables, realmId: number, id: number, nowMs: number) {
  return prisma.invitation.findFirst({ where: { ...isOpen(realmId, nowMs), id }, select: INVITATION });
}

const LINK = {
  id: true,
  referrerId: true,
  invitedAs: true,
  createdAt: true,
  expiresAt: true,
} as const;

/** The link, if it can be used at that time. */
export function findOpenLink(prisma: Tables, realmId: number, id: number, nowMs: number) {
  const where = { realmId, id, isRevoked: false, ...isUnexpired(nowMs) };
  return prisma.invitationLink.findFirst({ where, select: LINK });
}

/** The link, revoked or not; null when it does not exist or has expired. */
export function findUnexpiredLink(prisma: Tables, realmId: number, id: number, nowMs: number) {
  return prisma.invitationLink.findFirst({ where: { realmId, id, ...isUnexpired(nowMs) }, select: LINK });
}

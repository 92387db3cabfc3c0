import type { Tables } from '../context';

// Invitations and links that can be used at a given time.

/** An e-mail invitation that can be accepted: not one that came by a link. */
export function isOpen(realmId: number, nowMs: number) {
  return { realmId, state: 'open', linkId: null, ...isUnexpired(nowMs) };
}

function isUnexpired(nowMs: number) {
  return { OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(nowMs) } }] };
}

/** Of everybody where the referrer is null. */
const isFrom = (referrerId: number | null) => (referrerId === null ? {} : { referrerId });

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

export type OpenInvitation = Awaited<ReturnType<typeof listOpenInvitations>>[number];

/** Those that can be accepted, by id; of everybody where the referrer is null. */
export function listOpenInvitations(prisma: Tables, realmId: number, nowMs: number, referrerId: number | null) {
  const where = { ...isOpen(realmId, nowMs), ...isFrom(referrerId) };
  return prisma.invitation.findMany({ where, select: INVITATION, orderBy: { id: 'asc' } });
}

/** The invitation; null when there is none of that id that can be accepted. */
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

export type Link = Awaited<ReturnType<typeof listOpenLinks>>[number];

/** Those that can be used, by id; of everybody where the referrer is null. */
export function listOpenLinks(prisma: Tables, realmId: number, nowMs: number, referrerId: number | null) {
  const where = { realmId, isRevoked: false, ...isUnexpired(nowMs), ...isFrom(referrerId) };
  return prisma.invitationLink.findMany({ where, select: LINK, orderBy: { id: 'asc' } });
}

/** The link, if it can be used at that time. */
export function findOpenLink(prisma: Tables, realmId: number, id: number, nowMs: number) {
  const where = { realmId, id, isRevoked: false, ...isUnexpired(nowMs) };
  return prisma.invitationLink.findFirst({ where, select: LINK });
}

/** The link, revoked or not; null when there is none of that id, or it has expired. */
export function findUnexpiredLink(prisma: Tables, realmId: number, id: number, nowMs: number) {
  return prisma.invitationLink.findFirst({ where: { realmId, id, ...isUnexpired(nowMs) }, select: LINK });
}

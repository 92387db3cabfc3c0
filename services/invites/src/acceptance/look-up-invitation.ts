import type { InvitationFound, LookUpInvitationRequest } from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import type { Context } from '../context';
import { noSuchInvitation } from '../invitations/inviter';
import { hashKey, KEY_PATTERN } from '../keys/invitation-keys';
import { findAcceptable, findKeySubject, findOpenLink, type KeySubject } from './accepted.sql';

/** What a key invites to. Throws "No such invitation" for every key that cannot be used. */
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
  { db, clock }: Context,
  realmId: number,
  { invitationId, linkId }: KeySubject,
): Promise<Subject | null> {
  const nowMs = clock.now();
  if (linkId === null) return findAcceptable(db, realmId, invitationId as number, nowMs);
  const link = await findOpenLink(db, realmId, linkId, nowMs);
  return link && { ...link, email: null };
}

/** What a key belongs to, used up or not. Throws "No such invitation". */
export async function accessKey({ db }: Pick<Context, 'db'>, realmId: number, key: string): Promise<KeySubject> {
  const subject = KEY_PATTERN.test(key) ? await findKeySubject(db, realmId, hashKey(key)) : null;
  if (!subject) throw noSuchInvitation();
  return subject;
}

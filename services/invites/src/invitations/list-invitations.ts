import type { Invitation, InvitationList } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isAdministrator } from '@parley/shared/values';
import type { Context } from '../context';
import { keyUrl } from '../keys/key-url';
import { showKeys } from '../keys/show-keys';
import { listOpenInvitations, type OpenInvitation } from './invitations.sql';
import { type Link, listOpenLinks } from './links.sql';
import { loadFacts } from './load-facts';

/** What can still be accepted: the caller's own, or for administrators everybody's; mails first, then links. */
export async function listInvitations(ctx: Context, caller: Caller): Promise<InvitationList> {
  const { actor, subdomain } = await loadFacts(ctx, caller);
  const { realmId } = actor;
  const nowMs = ctx.clock.now();
  const referrerId = isAdministrator(actor.role) ? null : actor.id;
  const invitations = await listOpenInvitations(ctx.db, realmId, nowMs, referrerId);
  const links = await listOpenLinks(ctx.db, realmId, nowMs, referrerId);
  const keys = await showKeys(ctx, { realmId, kind: 'link', ids: links.map(({ id }) => id) });
  const place = { subdomain, externalHost: ctx.config.EXTERNAL_HOST };
  const urlOf = ({ id }: Link) => keyUrl('link', keys.get(id) as string, place);
  return {
    invitations: [...invitations.map(presentInvitation), ...links.map((link) => presentLink(link, urlOf(link)))],
  };
}

function presentInvitation(invitation: OpenInvitation): Invitation {
  const { email, notifiesReferrer } = invitation;
  return { ...common(invitation), notifiesReferrer, email };
}

function presentLink(link: Link, linkUrl: string): Invitation {
  return { ...common(link), notifiesReferrer: false, linkUrl };
}

function common({ id, referrerId, createdAtMs, expiresAtMs, invitedAs }: OpenInvitation | Link) {
  return { id, referrerId, createdAtMs, invitedAs, ...(expiresAtMs !== null && { expiresAtMs }) };
}

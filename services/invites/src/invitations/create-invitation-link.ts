import type {
  CreatedInvitationLink,
  CreateInvitationLinkRequest,
  InvitationTerms,
  InviteFacts,
  User,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { issueKeys } from '../keys/issue-keys';
import { keyUrl } from '../keys/key-url';
import { announceInvitationsChanged } from './announce-invitations-changed';
import { checkContent } from './check-content';
import { grantFromTerms } from './grant-from-terms';
import { holdInviter } from './hold-inviter';
import { insertLink } from './links.sql';
import { requireMayCreateLinks, requireMayInviteAs, requireMayWelcome } from './permissions';

/** Makes a link by which any number of people can join. */
export async function createInvitationLink(
  ctx: Context,
  caller: Caller,
  request: CreateInvitationLinkRequest,
): Promise<CreatedInvitationLink> {
  const terms = request.terms as InvitationTerms;
  const { channelIds, groupIds } = terms;
  const facts = await ctx.services.realm.getInviteFacts(caller, { channelIds, groupIds, emails: [] });
  checkRequest(facts, terms);
  const key = await store(ctx, caller, facts, terms);
  const place = { subdomain: facts.subdomain, externalHost: ctx.config.EXTERNAL_HOST };
  return { url: keyUrl('link', key, place) };
}

function checkRequest(facts: InviteFacts, terms: InvitationTerms): void {
  const actor = facts.actor as User;
  requireMayCreateLinks(facts);
  requireMayInviteAs(actor, terms.invitedAs);
  requireMayWelcome(actor, terms.welcomeText);
  checkContent(terms, facts);
}

function store(
  ctx: Context,
  caller: Caller,
  { actor, administratorIds }: InviteFacts,
  terms: InvitationTerms,
): Promise<string> {
  const referrer = actor as User;
  const { realmId } = referrer;
  return ctx.db.transaction(async (tx) => {
    await holdInviter(ctx, tx, caller);
    const id = await insertLink(tx, grantFromTerms(ctx, referrer, terms));
    const keys = await issueKeys(ctx, tx, { realmId, kind: 'link', ids: [id] });
    await announceInvitationsChanged(tx, realmId, administratorIds, referrer.id);
    return keys.get(id) as string;
  });
}

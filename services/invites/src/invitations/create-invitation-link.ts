import { BadRequestError } from '@parley/shared/errors';
import type {
  CreatedInvitationLink,
  CreateInvitationLinkRequest,
  InvitationTerms,
  InviteFacts,
  User,
} from '@parley/shared/proto';
import { findFirstAnswer, type KeyedRequest, keepFirstAnswer, keyedRequest } from '@parley/shared/request-keys';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { issueKeys } from '../keys/issue-keys';
import { keyUrl } from '../keys/key-url';
import { showKeys } from '../keys/show-keys';
import { type FirstAnswer, meaningOf } from '../request-keys/first-answer';
import { announceInvitationsChanged } from './announce-invitations-changed';
import { checkContent } from './check-content';
import { grantFromTerms } from './grant-from-terms';
import { holdInviter } from './hold-inviter';
import { findLink, insertLink } from './links.sql';
import { requireMayCreateLinks, requireMayInviteAs, requireMayWelcome } from './permissions';

/** Makes a link by which any number of people can join; the same one again for whoever repeats the request with its key. */
export async function createInvitationLink(
  ctx: Context,
  caller: Caller,
  request: CreateInvitationLinkRequest,
): Promise<CreatedInvitationLink> {
  const terms = request.terms as InvitationTerms;
  const { channelIds, groupIds } = terms;
  const facts = await ctx.services.realm.getInviteFacts(caller, { channelIds, groupIds, emails: [] });
  const keyed = keyedRequest(caller, 'link', request.idempotencyKey, meaningOf(terms));
  const first = await findFirstAnswer<FirstAnswer>(ctx, ctx.db, keyed);
  if (first?.linkId) await requireOpen(ctx, caller, first.linkId);
  else checkRequest(facts, terms);
  const id = first?.linkId ?? (await store(ctx, caller, { facts, terms, keyed }));
  const keys = await showKeys(ctx, { realmId: caller.realmId, kind: 'link', ids: [id] });
  const place = { subdomain: facts.subdomain, externalHost: ctx.config.EXTERNAL_HOST };
  return { url: keyUrl('link', keys.get(id) as string, place) };
}

/** A key would be made for it, which opens nothing. */
async function requireOpen({ db, clock }: Context, { realmId }: Caller, linkId: number): Promise<void> {
  const link = await findLink(db, realmId, clock.now(), linkId);
  if (!link || link.isRevoked) throw new BadRequestError('Invitation has already been revoked');
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
  { facts, terms, keyed }: { facts: InviteFacts; terms: InvitationTerms; keyed: KeyedRequest | null },
): Promise<number> {
  const { administratorIds } = facts;
  const referrer = facts.actor as User;
  const { realmId } = referrer;
  return ctx.db.transaction(async (tx) => {
    await holdInviter(ctx, tx, caller);
    // Asked once more: who has sent the same twice at once waited here.
    const first = await findFirstAnswer<FirstAnswer>(ctx, tx, keyed);
    if (first?.linkId) return first.linkId;
    const id = await insertLink(tx, grantFromTerms(ctx, referrer, terms));
    await issueKeys(ctx, tx, { realmId, kind: 'link', ids: [id] });
    await keepFirstAnswer(ctx, tx, keyed, { linkId: id, skipped: [] } satisfies FirstAnswer);
    await announceInvitationsChanged(
      tx,
      caller,
      { administratorIds, referrerId: referrer.id },
      { name: 'create-invitation-link', kind: 'invitation-link', ids: [id], after: { role: terms.invitedAs } },
    );
    return id;
  });
}

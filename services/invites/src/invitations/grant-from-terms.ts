import type { InvitationTerms, User } from '@parley/shared/proto';
import type { Context } from '../context';
import type { Grant } from './invitations.sql';

/** What somebody gives with an invitation of these terms, which have been checked. */
export function grantFromTerms(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  { id: referrerId, realmId }: Pick<User, 'id' | 'realmId'>,
  terms: InvitationTerms,
): Grant {
  const { validMinutes = config.INVITATION_LINK_VALIDITY_MINUTES } = terms;
  return {
    realmId,
    referrerId,
    invitedAs: terms.invitedAs,
    channelIds: [...new Set(terms.channelIds)],
    groupIds: [...new Set(terms.groupIds)],
    includesDefaultChannels: terms.includesDefaultChannels,
    welcomeText: terms.welcomeText ?? null,
    createdAtMs: clock.now(),
    validMinutes: terms.isValidForEver ? null : validMinutes,
  };
}

import type { SkippedAddress } from '@parley/shared/errors';
import type { InvitationTerms } from '@parley/shared/proto';

/** What the first answer was made of. */
export interface FirstAnswer {
  linkId: number | null;
  skipped: SkippedAddress[];
}

/** The terms of an invitation or link, for keyedRequest(). */
export function meaningOf(terms: InvitationTerms): unknown[] {
  const { invitedAs, channelIds, groupIds, includesDefaultChannels, validMinutes, isValidForEver, welcomeText } = terms;
  return [invitedAs, channelIds, groupIds, includesDefaultChannels, validMinutes, isValidForEver, welcomeText];
}

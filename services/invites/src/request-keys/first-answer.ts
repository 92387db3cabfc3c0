import type { SkippedAddress } from '@parley/shared/errors';
import type { InvitationTerms } from '@parley/shared/proto';

/** The parameters of the first request. */
export interface FirstAnswer {
  linkId: number | null;
  skipped: SkippedAddress[];
}

/** Parameters that identify a repeated request, for keyedRequest(). */
export function meaningOf(terms: InvitationTerms): unknown[] {
  const { invitedAs, channelIds, groupIds, includesDefaultChannels, validMinutes, isValidForEver, welcomeText } = terms;
  return [invitedAs, channelIds, groupIds, includesDefaultChannels, validMinutes, isValidForEver, welcomeText];
}

import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { InvitationTerms, InviteFacts, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { findForbiddenInLines, ROLE_VALUES } from '@parley/shared/values';
import type { Context } from '../context';
import type { Grant } from './invitations.sql';

/** A hundred years. */
const MAX_VALID_MINUTES = 52_560_000;

type CheckedTerms = Pick<InvitationTerms, 'invitedAs' | 'validMinutes' | 'welcomeText'>;

/**
 * Refuses a role that there is not, a validity out of bounds, and control characters, whoever asks: the operator's command does not pass
 * the gateway.
 */
export function checkTerms({ invitedAs, validMinutes = 1, welcomeText = '' }: CheckedTerms): void {
  const position = findForbiddenInLines(welcomeText);
  if (position !== null) {
    throw new BadRequestError(`Invalid character in welcome_message_custom_text, at position ${position}.`);
  }
  if (!(ROLE_VALUES as readonly number[]).includes(invitedAs)) throw new BadRequestError('Invalid role');
  if (validMinutes >= 1 && validMinutes <= MAX_VALID_MINUTES) return;
  throw new BadRequestError('An invitation is valid for at least a minute, and for a hundred years at most');
}

type Wanted = Pick<InvitationTerms, 'channelIds' | 'groupIds'>;

/** Refuses channels and groups that the inviter may not put others into; default channels are for everybody. */
export function checkContent(wanted: Wanted, { channels, groups }: Pick<InviteFacts, 'channels' | 'groups'>): void {
  checkChannels(wanted.channelIds, channels);
  checkGroups(wanted.groupIds, groups);
}

function checkChannels(channelIds: readonly number[], channels: InviteFacts['channels']): void {
  const known = new Map(channels.map((channel) => [channel.id, channel]));
  const unknownId = channelIds.find((id) => !known.has(id));
  if (unknownId !== undefined) {
    throw new BadRequestError(`Invalid channel ID ${unknownId}. No invites were sent.`);
  }
  if (channels.some(({ isDefault, mayAddSubscribers }) => !isDefault && !mayAddSubscribers)) {
    throw new BadRequestError(REFUSAL.channels.mayNotAdd);
  }
}

function checkGroups(groupIds: readonly number[], groups: InviteFacts['groups']): void {
  const known = new Map(groups.map((group) => [group.id, group]));
  for (const id of groupIds) {
    const group = known.get(id);
    if (!group) throw new BadRequestError(REFUSAL.groups.unknown);
    if (group.isDeactivated) throw new BadRequestError(REFUSAL.groups.deactivated);
    if (!group.mayAddMembers) throw new InsufficientPermissionError();
  }
}

/** The grant of an invitation with these checked terms. */
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

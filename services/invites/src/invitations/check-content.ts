import { BadRequestError, InsufficientPermissionError } from '@parley/shared/errors';
import type { InvitationTerms, InviteFacts } from '@parley/shared/proto';

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
    throw new BadRequestError('You do not have permission to subscribe other users to channels.');
  }
}

function checkGroups(groupIds: readonly number[], groups: InviteFacts['groups']): void {
  const known = new Map(groups.map((group) => [group.id, group]));
  for (const id of groupIds) {
    const group = known.get(id);
    if (!group) throw new BadRequestError('Invalid user group');
    if (group.isDeactivated) throw new BadRequestError('User group is deactivated.');
    if (!group.mayAddMembers) throw new InsufficientPermissionError();
  }
}

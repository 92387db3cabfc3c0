import type { ChannelKind } from './permissions';

/** What a kind of channel is called in notices. */
export function channelKindName({ isPrivate, isWebPublic, isHistoryPublic }: ChannelKind): string {
  if (isWebPublic) return 'Web-public';
  if (!isPrivate) return 'Public';
  return isHistoryPublic ? 'Private, shared history' : 'Private, protected history';
}

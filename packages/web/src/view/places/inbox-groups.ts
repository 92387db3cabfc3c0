import type { UnreadConversation, UnreadSummary } from '../../store/count-unread';
import { matches } from '../../store/shown-topics';

export interface InboxGroup {
  key: string;
  /** Null: direct conversations. */
  channelId: number | null;
  conversations: UnreadConversation[];
  count: number;
  mentionCount: number;
}

interface Facts {
  labelOf(conversation: UnreadConversation): string;
  channelName(channelId: number): string;
  /** The position of a channel in the list of all. */
  rankOf(channelId: number): number;
}

interface Ranked {
  stream_id: number;
  name: string;
  pin_to_top: boolean;
}

/** Pinned channels first, then by name; sorted once for each change of channels. */
export function ranksOf(channels: readonly Ranked[]): ReadonlyMap<number, number> {
  const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const ordered = [...channels].sort((a, b) => Number(b.pin_to_top) - Number(a.pin_to_top) || compare(a.name, b.name));
  return new Map(ordered.map(({ stream_id: id }, rank) => [id, rank]));
}

/** Direct conversations, then pinned channels, then the others by name; without muted topics, unless they mention the person. */
export function inboxGroups({ directs, channels }: UnreadSummary, facts: Facts, words: string): InboxGroup[] {
  const ordered = [...channels.values()]
    .map((each) => ({ ...each, rank: facts.rankOf(each.channelId) }))
    .sort((a, b) => a.rank - b.rank);
  const isHeard = (each: UnreadConversation) => !each.isMuted || each.mentionCount > 0;
  const fits = (each: UnreadConversation, name: string) =>
    words === '' || matches(`${name} ${facts.labelOf(each)}`, words);
  return [
    groupOf(
      null,
      directs.filter((each) => isHeard(each) && fits(each, '')),
    ),
    ...ordered.map(({ channelId, topics }) =>
      groupOf(
        channelId,
        topics.filter((each) => isHeard(each) && fits(each, facts.channelName(channelId))),
      ),
    ),
  ].filter(({ conversations }) => conversations.length > 0);
}

function groupOf(channelId: number | null, conversations: UnreadConversation[]): InboxGroup {
  const sum = (name: 'count' | 'mentionCount') => conversations.reduce((all, each) => all + each[name], 0);
  const key = channelId === null ? 'directs' : `channel-${channelId}`;
  return { key, channelId, conversations, count: sum('count'), mentionCount: sum('mentionCount') };
}

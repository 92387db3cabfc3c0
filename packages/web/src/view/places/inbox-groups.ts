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
  pinned: ReadonlySet<number>;
}

/** Direct conversations, then pinned channels, then the others by name; without muted topics, unless they mention the person. */
export function inboxGroups({ directs, channels }: UnreadSummary, facts: Facts, words: string): InboxGroup[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  const rank = ({ channelId }: { channelId: number }) => (facts.pinned.has(channelId) ? 0 : 1);
  const ordered = [...channels.values()]
    .map((each) => ({ ...each, name: facts.channelName(each.channelId) }))
    .sort((a, b) => rank(a) - rank(b) || compare(a.name, b.name));
  const isHeard = (each: UnreadConversation) => !each.isMuted || each.mentionCount > 0;
  const fits = (each: UnreadConversation, name: string) => matches(`${name} ${facts.labelOf(each)}`, words);
  return [
    groupOf(
      null,
      directs.filter((each) => isHeard(each) && fits(each, '')),
    ),
    ...ordered.map(({ channelId, topics, name }) =>
      groupOf(
        channelId,
        topics.filter((each) => isHeard(each) && fits(each, name)),
      ),
    ),
  ].filter(({ conversations }) => conversations.length > 0);
}

function groupOf(channelId: number | null, conversations: UnreadConversation[]): InboxGroup {
  const sum = (name: 'count' | 'mentionCount') => conversations.reduce((all, each) => all + each[name], 0);
  const key = channelId === null ? 'directs' : `channel-${channelId}`;
  return { key, channelId, conversations, count: sum('count'), mentionCount: sum('mentionCount') };
}

import type { UnreadConversation, UnreadSummary } from './count-unread';

/** Values of the setting `desktop_icon_count_display`. */
export const COUNTS = { all: 1, withFollowed: 2, personal: 3, none: 4 } as const;

/** The number in the page's title: unread messages of the kinds that the person has chosen. */
export function titleCount(
  kind: unknown,
  { count, directs, channels }: UnreadSummary,
  isFollowed: (topic: UnreadConversation) => boolean,
): number {
  if (kind === COUNTS.none) return 0;
  if (kind !== COUNTS.withFollowed && kind !== COUNTS.personal) return count;
  const direct = directs.reduce((sum, each) => (each.isMuted ? sum : sum + each.count), 0);
  const topics = [...channels.values()].flatMap((channel) => channel.topics);
  return topics.reduce((sum, topic) => {
    const isWhole = kind === COUNTS.withFollowed && isFollowed(topic);
    return sum + (isWhole ? topic.count : topic.mentionCount);
  }, direct);
}

import { isSameNarrow } from '../../narrow/narrow';
import { type Message, narrowOf } from '../../store/messages';

/** A line of the list: a message, or what stands before it. */
export type ListItem =
  | { kind: 'day' | 'unread' | 'conversation'; id: number }
  | { kind: 'message'; id: number; isFollowing: boolean };

/** By the same sender within this time: without the name. */
const TOGETHER_SECONDS = 600;

interface Options {
  /** All messages are of one conversation. */
  isWhole: boolean;
  firstUnreadId: number | null;
}

/** Messages in their order, with days, the line of new messages, and the conversations where they begin. */
export function itemsOf(messages: readonly Message[], { isWhole, firstUnreadId }: Options): ListItem[] {
  return messages.flatMap((each, at) => {
    const { id } = each;
    const before = messages[at - 1];
    const isNewDay = !before || !isSameDay(before, each);
    const isNewPlace = !isWhole && (!before || !isSameNarrow(narrowOf(before), narrowOf(each)));
    const isUnreadLine = id === firstUnreadId;
    const heads: ListItem[] = [];
    if (isNewDay) heads.push({ kind: 'day', id });
    if (isUnreadLine) heads.push({ kind: 'unread', id });
    if (isNewPlace || (isNewDay && !isWhole)) heads.push({ kind: 'conversation', id });
    const isFollowing = heads.length === 0 && before !== undefined && isTogether(before, each);
    return [...heads, { kind: 'message', id, isFollowing }];
  });
}

function isTogether(before: Message, each: Message): boolean {
  const isSoon = each.timestamp - before.timestamp < TOGETHER_SECONDS;
  return isSoon && before.sender_id === each.sender_id && !each.is_me_message && !before.is_me_message;
}

/** Days of the month come again after this at the earliest. */
const MONTH_SECONDS = 27 * 86_400;

function isSameDay(a: Message, b: Message): boolean {
  const isNear = Math.abs(b.timestamp - a.timestamp) < MONTH_SECONDS;
  return isNear && new Date(a.timestamp * 1_000).getDate() === new Date(b.timestamp * 1_000).getDate();
}

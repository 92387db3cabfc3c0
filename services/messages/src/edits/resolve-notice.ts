import { silentMention } from '@parley/shared/notice-text';
import type { NoticeChoices, User } from '@parley/shared/proto';
import { FOLLOWED } from '../topic-policies/automatic-policy';
import type { NewestMessage } from './hold-conversations.sql';
import type { Toggle } from './resolved-topic';

/** Who changes their mind this fast leaves no traces. */
const GRACE_MS = 60_000;

export function toggleText(toggle: Toggle, actor: User): string {
  return `${silentMention(actor)} has marked this topic as ${toggle}.`;
}

/** Whether the message that a topic ends with is the notice of the opposite, so young that it is to go instead of being answered. */
export function isUndoneBy(
  { senderId, sentAtMs, content }: Pick<NewestMessage, 'senderId' | 'sentAtMs' | 'content'>,
  toggle: Toggle,
  botId: number | undefined,
  nowMs: number,
): boolean {
  if (senderId !== botId || nowMs - sentAtMs > GRACE_MS) return false;
  const opposite = toggle === 'resolved' ? 'unresolved' : 'resolved';
  return content.endsWith(` has marked this topic as ${opposite}.`);
}

/** Those for whom the notice does not start as read: who never want that, and those who follow the topic, unless they always want it. */
export function unreadForIds(
  choices: NoticeChoices | null,
  policies: readonly { userId: number; policy: number }[],
  actorId: number,
): number[] {
  const { alwaysReadIds, neverReadIds } = choices ?? { alwaysReadIds: [], neverReadIds: [] };
  const always = new Set([...alwaysReadIds, actorId]);
  const followerIds = policies.flatMap(({ userId, policy }) => (policy === FOLLOWED ? userId : []));
  return [...new Set([...neverReadIds, ...followerIds])].filter((id) => !always.has(id));
}

import { finish } from '@parley/shared/markdown';
import type { Channel } from '@parley/shared/proto';
import type { Context } from '../context';
import { composeMessage, renderContent } from '../messages/compose-message';
import type { TopicMessage } from '../messages/find-topic-messages';
import type { NewMessage } from '../messages/new-message';
import { noticeKey } from '../send-keys/notice-key';
import { previewFacts } from '../uploads/preview-facts';
import type { Facts } from './edit-facts';

const CLIENT_NAME = 'Internal';

export interface Notice {
  /** What tells the notices of one edit apart. */
  part: string;
  channel: Channel;
  topic: string;
  content: string;
  /** By which the topics that it names stay reachable. */
  topicMessages: TopicMessage[];
  /** Present: it starts as read for all others. */
  unreadForIds?: number[];
}

/** What the notification bot says of an edit, with a send key of its own; the actor has read it. */
export function composeNotice(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  facts: Facts,
  editId: number,
  { part, channel, topic, content, topicMessages, unreadForIds }: Notice,
): NewMessage {
  const { send, actor, notificationBot, channels } = facts;
  if (!notificationBot) throw new Error(`organization ${send.realm.id} has no notification bot`);
  const linkedChannels = [...channels.values()].flatMap(({ channel }) => channel ?? []);
  const botFacts = { ...send, sender: notificationBot, mentionedUsers: [actor], mentionedGroups: [], linkedChannels };
  const rendered = finish(
    renderContent(content, botFacts, config.EXTERNAL_HOST, topicMessages, previewFacts(config, [])),
  );
  const place = { kind: 'channel', channel, topic } as const;
  const draft = { facts: botFacts, place, content, clientName: CLIENT_NAME, readByIds: [actor.id] };
  const sent = composeMessage(draft, rendered, clock.now());
  const readState = isFewEnough(unreadForIds) ? { unreadForIds } : {};
  return { key: noticeKey(`edit ${editId}`, part), sent: { ...sent, ...readState } };
}

/**
 * SPEC-GAP: no bound is documented. Whoever it is unread for stands in the row, and in an index; for more of them it is unread for
 * everybody, so that nobody misses it.
 */
const MAX_UNREAD_FOR = 200;

function isFewEnough(ids: readonly number[] | undefined): ids is readonly number[] {
  return ids !== undefined && ids.length <= MAX_UNREAD_FOR;
}

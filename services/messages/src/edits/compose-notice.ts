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
}

/** What the notification bot says of an edit, with a send key of its own; the actor has read it. */
export function composeNotice(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  facts: Facts,
  editId: number,
  { part, channel, topic, content, topicMessages }: Notice,
): NewMessage {
  const { send, actor, notificationBot, channels } = facts;
  if (!notificationBot) throw new Error(`organization ${send.realm.id} has no notification bot`);
  const linkedChannels = [...channels.values()].flatMap(({ send: facts }) => facts?.channel ?? []);
  const botFacts = { ...send, sender: notificationBot, mentionedUsers: [actor], mentionedGroups: [], linkedChannels };
  const rendered = renderContent(content, botFacts, config.EXTERNAL_HOST, topicMessages, previewFacts(config, []));
  const place = { kind: 'channel', channel, topic } as const;
  const draft = { facts: botFacts, place, content, clientName: CLIENT_NAME, readByIds: [actor.id] };
  return { key: noticeKey(`edit ${editId}`, part), sent: composeMessage(draft, rendered, clock.now()) };
}

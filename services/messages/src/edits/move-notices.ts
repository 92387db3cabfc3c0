import { messageHref, topicHref } from '@parley/shared/markdown';
import { silentMention, topicLink } from '@parley/shared/notice-text';
import type { Channel, EditMessageRequest, User } from '@parley/shared/proto';
import { realmUrl } from '@parley/shared/values';
import type { Context } from '../context';
import type { Notice } from './compose-notice';
import type { Facts } from './edit-facts';
import type { Destination } from './move.sql';
import type { Moved } from './move-messages';
import type { Toggle } from './resolved-topic';

/** A topic in a channel, as notices name it. */
export interface NamedTopic {
  channel: Channel;
  topic: string;
}

/** What is said where messages were moved from, and where to. */
export function moveNotices(
  { config }: Pick<Context, 'config'>,
  request: Pick<EditMessageRequest, 'tellsOldTopic' | 'tellsNewTopic'>,
  facts: Facts,
  moved: Moved,
  from: NamedTopic,
  to: NamedTopic,
  toggle: Toggle | null,
): Notice[] {
  const firstId = moved.messages[0]?.id as number;
  const topicMessages = [{ channelId: to.channel.id, topic: to.topic, messageId: firstId }];
  const count = moved.messages.length;
  const notices: Notice[] = [];
  if (request.tellsOldTopic) {
    const content = oldTopicText(count, moved.isWholeVisibleTopic, from, to, facts.actor);
    notices.push({ part: 'old topic', ...from, content, topicMessages });
  }
  if (request.tellsNewTopic && toggle === null) {
    const origin = realmUrl(facts.send.realm.subdomain, config.EXTERNAL_HOST);
    const link = origin + messageHref(to.channel, to.topic, String(firstId));
    const isWhole = moved.isWholeVisibleTopic && !moved.hadVisibleTarget;
    const content = newTopicText(count, isWhole, link, from, to, facts.actor);
    notices.push({ part: 'new topic', ...to, content, topicMessages });
  }
  return notices;
}

function oldTopicText(count: number, isWholeTopic: boolean, from: NamedTopic, to: NamedTopic, actor: User): string {
  const rest = `${linkTo(to, from)} by ${silentMention(actor)}.`;
  if (isWholeTopic) return `This topic was moved to ${rest}`;
  if (count === 1) return `A message was moved from this topic to ${rest}`;
  return `${count} messages were moved from this topic to ${rest}`;
}

function newTopicText(
  count: number,
  isWholeTopic: boolean,
  link: string,
  from: NamedTopic,
  to: NamedTopic,
  actor: User,
): string {
  const rest = `moved here from ${linkTo(from, to)} by ${silentMention(actor)}.`;
  if (isWholeTopic) return `This topic was ${rest}`;
  return count === 1 ? `[A message](${link}) was ${rest}` : `${count} messages were ${rest}`;
}

/** A private channel is not named in another one, whose readers need not know of it. */
function linkTo({ channel, topic }: NamedTopic, { channel: teller }: NamedTopic): string {
  if (channel.isPrivate && channel.id !== teller.id) return 'a private channel';
  return topicLink(channel.name, topic, topicHref(channel, topic, undefined));
}

export function namedTopic(
  { channels }: Facts,
  { channelId, topic }: Pick<Destination, 'channelId' | 'topic'>,
): NamedTopic {
  return { channel: channels.get(channelId)?.channel as Channel, topic };
}

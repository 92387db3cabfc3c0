import { finish, messageHref, topicHref } from '@parley/shared/markdown';
import { silentMention, topicLink } from '@parley/shared/notice-text';
import type { Channel, EditMessageRequest, NoticeChoices, User } from '@parley/shared/proto';
import { realmUrl } from '@parley/shared/values';
import { composeMessage, renderContent } from '../content/compose-message';
import type { NewMessage } from '../content/new-message';
import type { Context } from '../context';
import { FOLLOWED } from '../conversations/automatic-policy';
import type { NewestMessage } from '../conversations/lock-conversations.sql';
import type { LoadedEditFacts } from '../messages/edit-facts';
import type { Toggle } from '../messages/resolved-topic';
import type { TopicMessage } from '../search/find-topic-messages';
import { noticeKey } from '../send-keys/key-prefixes';
import { previewFacts } from '../uploads/find-uploads';
import type { Destination } from './move.sql';
import type { Moved } from './move-messages';

/** A topic in a channel, as notices name it. */
interface NamedTopic {
  channel: Channel;
  topic: string;
}

/** The notices at the source and destination of a move. */
export function moveNotices(
  { config }: Pick<Context, 'config'>,
  request: Pick<EditMessageRequest, 'tellsOldTopic' | 'tellsNewTopic'>,
  facts: LoadedEditFacts,
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

/** A private channel is not named in another one, whose readers may not know it. */
function linkTo({ channel, topic }: NamedTopic, { channel: teller }: NamedTopic): string {
  if (channel.isPrivate && channel.id !== teller.id) return 'a private channel';
  return topicLink(channel.name, topic, topicHref(channel, topic, undefined));
}

export function namedTopic(
  { channels }: LoadedEditFacts,
  { channelId, topic }: Pick<Destination, 'channelId' | 'topic'>,
): NamedTopic {
  return { channel: channels.get(channelId)?.channel as Channel, topic };
}

const CLIENT_NAME = 'Internal';

export interface Notice {
  /** Distinguishes the notices of one edit in their send keys. */
  part: string;
  channel: Channel;
  topic: string;
  content: string;
  /** Messages to link to, one in each topic named in the notice. */
  topicMessages: TopicMessage[];
  /** Present: it starts as read for all others. */
  unreadForIds?: number[];
}

/** A notice of the notification bot about an edit, with its own send key; read for the actor. */
export function composeNotice(
  { config, clock }: Pick<Context, 'config' | 'clock'>,
  facts: LoadedEditFacts,
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
 * SPEC-GAP: no limit is documented. Users for whom it starts unread are stored in the row and in an index; beyond this number it
 * starts unread for everybody, so that nobody misses it.
 */
const MAX_UNREAD_FOR = 200;

function isFewEnough(ids: readonly number[] | undefined): ids is readonly number[] {
  return ids !== undefined && ids.length <= MAX_UNREAD_FOR;
}

/** The opposite change within this time deletes the notice instead of adding another. */
const GRACE_MS = 60_000;

export function toggleText(toggle: Toggle, actor: User): string {
  return `${silentMention(actor)} has marked this topic as ${toggle}.`;
}

/** Whether the topic ends with the opposite notice, young enough to be deleted. */
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

/** Users for whom the notice starts unread: setting "never", or followers unless "always". */
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

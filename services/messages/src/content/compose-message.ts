import { SYSTEM_GROUP_LABELS, type SystemGroupName } from '@parley/shared/access';
import { BadRequestError } from '@parley/shared/errors';
import { type Rendered, renderInSteps, type Steps, topicLinks, type WebsiteCard } from '@parley/shared/markdown';
import type { Channel, CustomEmoji, Group, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { LIMITS, realmSettingsOf, realmUrl, truncate, userSettingsOf } from '@parley/shared/values';
import { customEmojiUrl } from '@parley/shared/wire';
import type { RequiredSendFacts } from '../access/destination';
import type { TopicMessage } from '../search/find-topic-messages';
import type { PreviewFacts } from '../uploads/find-uploads';
import type { PendingMessageSent } from './new-message';

const MAX_CLIENT_NAME_LENGTH = 30;
/** A new message has no cards: pages are fetched after the send (website-cards). */
const NO_CARDS: ReadonlyMap<string, WebsiteCard> = new Map();

/** A permitted destination. Participants are unique, sorted by id, and include the sender. */
export type AllowedDestination =
  | { kind: 'channel'; channel: Channel; topic: string }
  | { kind: 'direct'; participants: User[] };

/** A quiet channel; a new message makes it active again. */
export function isInQuietChannel(place: AllowedDestination): boolean {
  return place.kind === 'channel' && place.channel.isQuiet === true;
}

/** An allowed send. */
export interface Draft {
  facts: RequiredSendFacts;
  place: AllowedDestination;
  /** Normalized. */
  content: string;
  clientName: string;
  /** Users for whom the message starts as read. */
  readByIds: number[];
  /** The sender's own queue, and the message's local id there. */
  queueId?: string | undefined;
  localId?: string | undefined;
}

/** The message of a send as it is announced, with all mentioned users. */
export function composeMessage(draft: Draft, rendered: Rendered, nowMs: number): PendingMessageSent {
  const { facts, place, content, readByIds, queueId, localId } = draft;
  const mentioned = mentionedIds(rendered, place, facts);
  return {
    message: {
      realmId: facts.realm.id,
      sender: facts.sender,
      ...placeFields(place, facts),
      content,
      renderedContent: rendered.html,
      sentAtMs: nowMs,
      clientName: truncate(draft.clientName.replaceAll('\0', ''), MAX_CLIENT_NAME_LENGTH, ''),
      isMeMessage: content.startsWith('/me '),
      flags: [],
      reactions: [],
      senderRealm: facts.realm.subdomain,
    },
    ...audienceFields(place, mentioned, facts),
    readByIds,
    mentionedIds: mentioned,
    mentionsChannel: rendered.mentionsChannel,
    // A direct message has no topic participants to mention.
    mentionsTopic: rendered.mentionsTopic && place.kind === 'channel',
    ...(queueId === undefined ? {} : { queueId }),
    ...(localId === undefined ? {} : { localId }),
  };
}

/** The content as HTML, with the mentions resolved by realm. */
export function renderContent(
  content: string,
  facts: RequiredSendFacts,
  externalHost: string,
  topicMessageIds: TopicMessage[],
  previews: PreviewFacts = {},
): Steps<Rendered> {
  const settings = realmSettingsOf(facts.realm);
  const showsCards = settings.inline_url_embed_preview && !facts.sender.isBot;
  return renderInSteps(content, {
    users: facts.mentionedUsers,
    groups: facts.mentionedGroups.map(toMarkdownGroup),
    channels: facts.linkedChannels,
    linkifiers: facts.linkifiers,
    realmUrl: realmUrl(facts.realm.subdomain, externalHost),
    topicMessageIds,
    ...previews,
    showsPreviews: settings.inline_image_preview,
    websiteCards: showsCards ? (previews.websiteCards ?? NO_CARDS) : undefined,
    customEmoji: facts.customEmoji.map(toMarkdownEmoji),
    translateEmoticons: userSettingsOf(facts.senderSettings).translate_emoticons === true,
    defaultCodeLanguage: settings.default_code_block_language,
  });
}

function toMarkdownGroup({ id, name, isSystem, isDeactivated }: Group) {
  const displayName = isSystem ? SYSTEM_GROUP_LABELS[name as SystemGroupName] : name;
  return { id, name, isSystem, isActive: !isDeactivated, displayName };
}

function toMarkdownEmoji({ id, realmId, name, fileName }: CustomEmoji) {
  return { id: String(id), name, sourceUrl: customEmojiUrl(realmId, fileName) };
}

function placeFields(place: AllowedDestination, facts: RequiredSendFacts) {
  if (place.kind === 'direct') return { channelName: '', participants: place.participants, topic: '', topicLinks: [] };
  const { channel, topic } = place;
  const links = topicLinks(topic, { linkifiers: facts.linkifiers });
  return { channelId: channel.id, channelName: channel.name, participants: [], topic, topicLinks: links };
}

function audienceFields(place: AllowedDestination, mentioned: readonly number[], { calledBotIds }: RequiredSendFacts) {
  if (place.kind === 'direct') return {};
  const isMentioned = new Set(mentioned);
  const botIds = calledBotIds.filter((id) => isMentioned.has(id));
  const { subscriptionVersion, isPrivate } = place.channel;
  return { subscriptionVersion, isChannelPublic: !isPrivate, ...(botIds.length > 0 && { mentionedBotIds: botIds }) };
}

/** By name or as members of a group; in a direct message receivers only. */
function mentionedIds(rendered: Rendered, place: AllowedDestination, { mentionedGroups }: RequiredSendFacts): number[] {
  const groups = mentionedGroups.filter(({ id }) => rendered.mentionedGroupIds.includes(id));
  const ids = [...new Set([...rendered.mentionedUserIds, ...groups.flatMap(({ memberIds }) => memberIds)])];
  if (place.kind === 'channel') return ids;
  return ids.filter((userId) => place.participants.some(({ id }) => id === userId));
}

const TRUNCATION_MARK = '\n[message truncated]';

/** The content as stored: without trailing blanks and leading empty lines, cut to the limit. */
export function normalizeContent(text: string): string {
  return truncate(stripped(text), LIMITS.messageLength, TRUNCATION_MARK);
}

/** Throws if `text` cannot be rendered. */
export function checkContent(text: string): void {
  if (stripped(text) === '') throw new BadRequestError(REFUSAL.messages.empty);
  if (text.includes('\0')) throw new BadRequestError('Message must not contain null bytes');
}

function stripped(text: string): string {
  return text.trimEnd().replace(/^\n+/, '');
}

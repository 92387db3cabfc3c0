import { onlyRow } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type {
  Channel,
  ChannelSendFacts,
  GetSendFactsRequest,
  GetSendFactsResponse,
  Group,
  SendFacts,
  SendFactsQuery,
  TypingAudience,
  UsedCredential,
  User,
} from '@parley/shared/proto';
import { type HolderNow, isStillGood } from '../api-keys/permissions';
import { nameKey } from '../base/name-key';
import { possibleIds, possibleTexts } from '../base/possible-values';
import { CONTENT_SETTINGS, isCloseEnoughToPost, type Viewer } from '../channel-access/permissions';
import type { Context } from '../context';
import { isInReach, mayMention } from '../groups/permissions';
import { parseMention } from '../rendering/mention-candidates';
import type { ChannelRow } from './read-facts.sql';
import { loadSendFacts, type NamedGroup, type SendFactsKeys, type SendFactsRow } from './send-facts.sql';
import { toChannelRights, toSendRights } from './send-rights';

const MAX_QUERIES = 1_000;

/** The facts for many sends, one answer for each, in order: one SQL statement. */
export async function getSendFacts(ctx: Context, { queries }: GetSendFactsRequest): Promise<GetSendFactsResponse> {
  if (queries.length > MAX_QUERIES) throw new BadRequestError(`Too many queries in one call (limit: ${MAX_QUERIES})`);
  const rows = await loadSendFacts(ctx.db, queries.map(toKeys), ctx.clock.now());
  return { facts: rows.map((row, index) => toFacts(row, queries[index] as SendFactsQuery)) };
}

/** The facts for one send, and the channels that the sender wants to read; `holder`: whose key it is, if it is good. */
export async function getReadingSendFacts(
  ctx: Context,
  query: SendFactsQuery,
  { apiKeyId, channelIds }: { apiKeyId: number | null; channelIds: number[] },
): Promise<{ send: SendFacts; readChannels: ChannelRow[]; holder: HolderNow | null }> {
  const keys = { ...toKeys(query), api_key_id: apiKeyId, read_channel_ids: channelIds };
  const row = onlyRow(await loadSendFacts(ctx.db, [keys], ctx.clock.now()));
  return { send: toFacts(row, query), readChannels: row.readChannels ?? [], holder: holderOf(row) };
}

function toKeys(query: SendFactsQuery): SendFactsKeys {
  const mentions = query.mentionedNames.map(parseMention);
  const ids = mentions.flatMap(({ id }) => id ?? []);
  const names = mentions.flatMap(({ id, name }) => (id === null ? [name] : []));
  return {
    realm_id: query.realmId,
    sender_id: query.senderId,
    channel_id: possibleIds(query.channelId === undefined ? [] : [query.channelId])[0] ?? null,
    channel_key: keysOf(query.channelName === undefined ? [] : [query.channelName])?.[0] ?? null,
    recipient_ids: orNull(possibleIds(query.recipientIds)),
    recipient_emails: keysOf(query.recipientEmails),
    mentioned_ids: orNull(possibleIds(ids)),
    mentioned_keys: keysOf(names),
    group_keys: keysOf(query.mentionedGroupNames),
    linked_keys: keysOf(query.linkedChannelNames),
    emoji_names: orNull(possibleTexts(query.emojiNames)),
    api_key_id: query.credential?.apiKeyId ?? null,
    uses_default_channel: query.usesDefaultChannel === true,
    mentions_many: query.mentionsMany === true ? true : null,
    tells_typing: query.tellsTyping === true ? true : null,
    omits_organization: query.omitsOrganization === true ? true : null,
    read_channel_ids: null,
  };
}

function keysOf(names: readonly string[]): string[] | null {
  return orNull(possibleTexts(names).map(nameKey));
}

function orNull<T>(list: T[]): T[] | null {
  return list.length === 0 ? null : list;
}

function toFacts(row: SendFactsRow, query: SendFactsQuery): SendFacts {
  return {
    realm: row.realm ?? null,
    sender: row.sender,
    channel: toChannelFacts(row),
    recipients: row.recipients ?? [],
    mentionedUsers: mentionedUsers(row, query.mentionedNames),
    mentionedGroups: (row.groups ?? []).map((group) => toMentionedGroup(group, row.standing)),
    linkedChannels: (row.linkedChannels ?? []).filter(({ name }) => query.linkedChannelNames.includes(name)),
    linkifiers: row.linkifiers ?? [],
    isCredentialGood: isCredentialGood(row, query.credential ?? null),
    senderSettings: row.senderSettings ?? '{}',
    customEmoji: row.customEmoji ?? [],
    typingAudience: toTypingAudience(row),
    ...toSendRights(row, row.standing ?? Number.POSITIVE_INFINITY),
  };
}

function toTypingAudience({ unwillingIds, channel }: SendFactsRow): TypingAudience | null {
  return unwillingIds ? { subscriberCount: channel?.subscriberCount ?? 0, unwillingIds } : null;
}

/** True without a credential. */
function isCredentialGood(row: SendFactsRow, credential: UsedCredential | null): boolean {
  return credential === null || isStillGood(credential, holderOf(row));
}

/** The sender, unless the key that is to be confirmed is not theirs, or revoked. */
function holderOf({ isKeyGood, realm, realmState, sender }: SendFactsRow): HolderNow | null {
  const state = realm ?? realmState;
  if (!isKeyGood || !state || sender === null) return null;
  const { subdomain, isDeactivated: isRealmDeactivated } = state;
  return { ...sender, subdomain, isRealmDeactivated };
}

/** A bot's mentions depend on its own rights, not on its owner's. */
function toMentionedGroup({ mentionGroup, memberIds, ...group }: NamedGroup, standing: number | null): Group {
  const reach = mentionGroup && { ...mentionGroup, isListed: mentionGroup.isSenderListed };
  const mayBeMentioned = standing !== null && mayMention(group.isSystem, reach, standing);
  return { ...group, memberIds: memberIds ?? [], mayBeMentioned };
}

/** A bot may do what its owner may. */
function toChannelFacts(row: SendFactsRow): ChannelSendFacts | null {
  const { channel, sender, owner, standing, isSenderSubscribed, isOwnerSubscribed, sendGroup } = row;
  if (channel === null || sender === null || standing === null) return null;
  const { systemGroups, isSenderListed, isOwnerListed } = sendGroup;
  const viewer = senderOf(row, sender.role, standing);
  const mayReadItself = isCloseEnoughToPost(channel, viewer, false);
  return {
    channel: { ...channel, groupSettings: {}, postPolicy: 0 },
    isSenderSubscribed,
    isInSendGroup:
      isInReach({ systemGroups, isListed: isSenderListed }, standing) ||
      (owner !== null && isInReach({ systemGroups, isListed: isOwnerListed }, owner.standing)),
    hasContentAccess: mayReadItself || isOwnerSubscribed,
    isReachedByOwnerOnly: isOwnerSubscribed && !mayReadItself,
    isHidden: row.isHidden,
    ...toChannelRights(row, { standing, ownerStanding: owner?.standing ?? null }, isProtected(channel)),
  };
}

/** New subscribers see only messages sent after they joined. */
function isProtected({ isPrivate, isHistoryPublic }: Channel): boolean {
  return isPrivate && !isHistoryPublic;
}

function senderOf({ joinGroup, isSenderSubscribed }: SendFactsRow, role: number, standing: number): Viewer {
  const mayJoin = joinGroup !== null && isInReach({ ...joinGroup, isListed: joinGroup.isSenderListed }, standing);
  return { role, isSubscribed: isSenderSubscribed, holds: new Set(mayJoin ? CONTENT_SETTINGS : []) };
}

/** Users found by name, and those found by id whose full name matches the one written with it, if any. */
function mentionedUsers({ usersById, usersByName }: SendFactsRow, mentionedNames: readonly string[]): User[] {
  const mentions = mentionedNames.map(parseMention);
  const isMeant = (user: User) =>
    mentions.some(({ id, name }) => id === user.id && (name === '' || name === user.fullName));
  const found = [...(usersByName ?? []), ...(usersById ?? []).filter(isMeant)];
  return [...new Map(found.map((user) => [user.id, user])).values()];
}

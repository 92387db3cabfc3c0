import type { Sql } from '@parley/shared/db';
import { bold, channelLink, quote, silentGroupMention, silentMention } from '@parley/shared/notice-text';
import type { Channel, GroupSetting, User } from '@parley/shared/proto';
import { findUsersByIds } from '../accounts/users.sql';
import { channelKindName } from '../channel-access/channel-input';
import type { ChannelKind } from '../channel-access/permissions';
import { listGroupNames } from '../group-settings/group-settings.sql';

type Author = Pick<User, 'id' | 'fullName'>;

const NO_DESCRIPTION = '*No description.*';

export function creationText(channel: Channel, author: Author): string {
  const description = quote(channel.description || NO_DESCRIPTION);
  return `**${channelKindName(channel)}** channel created by ${silentMention(author)}. **Description:**\n${description}`;
}

export function announcementText(channels: readonly Channel[], author: Author): string {
  const names = channels.map(channelLink).join(', ');
  const what = channels.length === 1 ? `a new channel ${names}` : `the following channels: ${names}`;
  return `${silentMention(author)} created ${what}.`;
}

export function renamedText(oldName: string, newName: string, author: Author): string {
  return `${silentMention(author)} renamed channel ${bold(oldName)} to ${bold(newName)}.`;
}

export function describedText(oldText: string, newText: string, author: Author): string {
  const described = (text: string) => quote(text || NO_DESCRIPTION);
  return [
    `${silentMention(author)} changed the description for this channel.`,
    `\n* **Old description:**\n\n${described(oldText)}`,
    `\n* **New description:**\n\n${described(newText)}`,
  ].join('\n');
}

export function privacyText(before: Channel, after: ChannelKind, author: Author): string {
  return (
    `${silentMention(author)} changed the [access permissions](/help/channel-permissions) for this channel ` +
    `from **${channelKindName(before)}** to **${channelKindName(after)}**.`
  );
}

/** `before` and `after`: the users who may post, as text. */
export function postingText(before: string, after: string, author: Author): string {
  return (
    `${silentMention(author)} changed the [posting permissions](/help/channel-posting-policy) for this channel:\n\n` +
    `* **Old permissions**: ${before}.\n* **New permissions**: ${after}.`
  );
}

export function retentionText(before: number | null, after: number | null, author: Author): string {
  return (
    `${silentMention(author)} has changed the [message retention period](/help/message-retention-policy) for this channel:\n` +
    `* **Old retention period**: ${retentionName(before)}\n* **New retention period**: ${retentionName(after)}\n\n` +
    retentionSummary(after)
  );
}

function retentionName(days: number | null): string {
  if (days === null) return "The organization's default";
  return days < 0 ? 'Forever' : `${days} days`;
}

function retentionSummary(days: number | null): string {
  if (days === null) return "Messages in this channel will now be kept as long as the organization's default says.";
  if (days < 0) return 'Messages in this channel will now be retained forever.';
  return `Messages in this channel will now be automatically deleted ${days} days after they are sent.`;
}

export function archivedText({ name }: Channel): string {
  return `Channel ${bold(name)} has been archived.`;
}

export function unarchivedText({ name }: Channel): string {
  return `Channel ${bold(name)} un-archived.`;
}

/** The text for each value of a permission in notices. */
export async function loadGroupSettingTexts(
  sql: Sql,
  realmId: number,
  values: readonly GroupSetting[],
): Promise<string[]> {
  const groupIds = values.flatMap(({ groupId, directSubgroupIds }) => [groupId ?? [], directSubgroupIds].flat());
  const userIds = values.flatMap(({ directMemberIds }) => directMemberIds);
  const groups = await listGroupNames(sql, realmId, groupIds);
  const users = userIds.length === 0 ? [] : await findUsersByIds(sql, realmId, userIds);
  return values.map(({ groupId, directMemberIds, directSubgroupIds }) => {
    const ids = new Set([groupId ?? [], directSubgroupIds].flat());
    const memberIds = new Set(directMemberIds);
    const names = [
      ...groups.filter(({ id }) => ids.has(id)).map(({ name }) => silentGroupMention(name)),
      ...users.filter(({ id }) => memberIds.has(id)).map(silentMention),
    ];
    return names.join(', ');
  });
}

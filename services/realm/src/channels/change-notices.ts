import type { Sql } from '@parley/shared/db';
import type { ChannelChange } from '@parley/shared/events';
import type { Channel, GroupSetting, User } from '@parley/shared/proto';
import { SEND_SETTING } from '../group-settings/setting-place';
import type { Notice } from '../notices/announce-notice';
import { loadRealmSettings } from '../realms/realm-settings.sql';
import { describedText, postingText, privacyText, renamedText, retentionText } from './channel-notices';
import { loadGroupSettingTexts } from './group-setting-texts';
import { channelEventsTopic } from './topics-policy';

/** What a channel says of changes of itself, where the organization wants that. */
export async function changeNotices(
  sql: Sql,
  author: User,
  before: Channel,
  after: Channel,
  change: ChannelChange,
): Promise<Notice[]> {
  const { send_channel_events_messages: areWanted } = await loadRealmSettings(sql, author.realmId);
  if (!areWanted) return [];
  const texts = [
    ...(change.name === undefined ? [] : [renamedText(before.name, change.name, author)]),
    ...(change.description ? [describedText(before.description, after.description, author)] : []),
    ...(change.privacy ? [privacyText(before, change.privacy, author)] : []),
    ...(await postingTexts(sql, author, before, change)),
    ...(change.messageRetentionDays === undefined
      ? []
      : [retentionText(before.messageRetentionDays ?? null, change.messageRetentionDays, author)]),
  ];
  const to = { channelId: after.id, topic: channelEventsTopic(after) };
  return texts.map((content) => ({ from: 'notification-bot', to, content, readByIds: [author.id] }));
}

async function postingTexts(sql: Sql, author: User, before: Channel, change: ChannelChange): Promise<string[]> {
  const value = change.groupSettings?.[SEND_SETTING];
  if (value === undefined) return [];
  const values = [before.groupSettings[SEND_SETTING] as GroupSetting, value];
  const [oldText, newText] = (await loadGroupSettingTexts(sql, author.realmId, values)) as [string, string];
  return [postingText(oldText, newText, author)];
}

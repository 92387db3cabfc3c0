import { beganUnread, type UnreadParameters } from './unread.sql';

/**
 * Whether one message `m` is unread for the reader: what is looked at is stored of this message alone, however much else is unread.
 * NOTE: unreadMessages() says the same of sets, and isRead() of what was loaded.
 */
export function isUnreadMessage(p: UnreadParameters): string {
  const { realmId, readerId } = p;
  const ofReader = (name: string) => `${name}.realm_id = ${realmId} and ${name}.user_id = ${readerId}`;
  const isPassed = `(m.id <= coalesce((select w.message_id from read_watermark w where ${ofReader('w')}), 0)
    or m.id <= (select c.message_id from channel_read_watermark c where ${ofReader('c')} and c.channel_id = m.channel_id)) is true`;
  return `(m.sender_id <> all(${p.mutedUserIds}) and (m.channel_id is null or m.channel_id = any(${p.countedChannelIds}))
    and (select case when e.read @> m.id then false when e.unread @> m.id then true
        else ${beganUnread(p)} and ${keepsReceiving(p)} and (coalesce(e.unpassed @> m.id, false) or not ${isPassed}) end
      from (select) one
      left join read_exception e on ${ofReader('e')} and e.conversation_id = m.conversation_id))`;
}

/** Received, and every subscription that it came through lasts. */
function keepsReceiving({ realmId, readerId, lastingChannelIds, lastingFromVersions }: UnreadParameters): string {
  const since = (channelId: string) => `(${lastingFromVersions})[array_position(${lastingChannelIds}, ${channelId})]`;
  return `case when m.channel_id is null then exists (
      select from direct_conversation d
      where d.realm_id = ${realmId} and d.id = m.conversation_id and d.participant_ids @> array[${readerId}])
    else m.sent_version >= ${since('m.sent_channel_id')}
      and (m.channel_id = m.sent_channel_id or m.moved_version >= ${since('m.channel_id')}) end`;
}

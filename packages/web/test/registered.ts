import type { State } from '@parley/client-model/state';

const EVERYONE = { id: 1, members: [11], direct_subgroup_ids: [] };

/** The parts of a registration's answer that the client's rules need, of a user without unread messages. */
export function registered(queueId = 'queue'): State {
  return {
    queue_id: queueId,
    last_event_id: -1,
    user_id: 11,
    unread_msgs: { count: 0, mentions: [], pms: [], huddles: [], streams: [] },
    recent_private_conversations: [],
    subscriptions: [],
    starred_messages: [],
    realm_user_groups: [EVERYONE],
    realm_can_create_public_channel_group: EVERYONE.id,
    realm_can_create_private_channel_group: EVERYONE.id,
    realm_can_create_web_public_channel_group: EVERYONE.id,
    realm_can_add_subscribers_group: EVERYONE.id,
    realm_can_invite_users_group: EVERYONE.id,
    user_topics: [],
  };
}

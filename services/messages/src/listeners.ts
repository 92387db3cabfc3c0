import { type ConsumedEvent, type Consumption, consume } from '@parley/shared/bus';
import {
  channelAccessChanged,
  channelAppeared,
  channelArchived,
  channelVanished,
  messagesReturned,
  mutedUsersChanged,
  noticeAnnounced,
  personJoined,
  type SubscriptionChanged,
  subscriptionChanged,
  topicPolicyChanged,
  userSettingChanged,
} from '@parley/shared/events';
import type { Context } from './context';
import { dropUnwantedDrafts } from './drafts/drafts';
import { announceReturnedMessages } from './flags/announce-returned-messages';
import { forgetLeftChannels, readArchivedChannels, readMutedSenders } from './flags/follow-channels';
import { giveFirstHistory } from './flags/give-first-history';
import { sendNotices } from './notices/send-notices';
import {
  followAccessChanges,
  followAppeared,
  followSubscriptions,
  followVanished,
} from './topic-policies/follow-access';
import { announceMutedTopics } from './topic-policies/topic-policies';

/** Handles the domain events on which this service acts, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, db, log } = ctx;
  const common = { bus, db, log, service: 'messages' } as const;
  const consumptions: Consumption[] = [
    consume({ ...common, event: noticeAnnounced, handle: (events) => sendNotices(ctx, events) }),
    consume({ ...common, event: userSettingChanged, handle: (events) => dropUnwantedDrafts(ctx, events) }),
    consume({ ...common, event: subscriptionChanged, handle: (events) => leaveAndFollow(ctx, events) }),
    consume({ ...common, event: channelVanished, handle: (events) => followVanished(ctx, events) }),
    consume({ ...common, event: channelAppeared, handle: (events) => followAppeared(ctx, events) }),
    consume({ ...common, event: channelAccessChanged, handle: (events) => followAccessChanges(ctx, events) }),
    consume({ ...common, event: channelArchived, handle: (events) => readArchivedChannels(ctx, events) }),
    consume({ ...common, event: messagesReturned, handle: (events) => announceReturnedMessages(ctx, events) }),
    consume({ ...common, event: personJoined, handle: (events) => giveFirstHistory(ctx, events) }),
    consume({ ...common, event: mutedUsersChanged, handle: (events) => readMutedSenders(ctx, events) }),
    consume({ ...common, event: topicPolicyChanged, handle: (events) => announceMutedTopics(ctx, events) }),
  ];
  return async () => {
    await Promise.all(consumptions.map((consumption) => consumption.stop()));
  };
}

async function leaveAndFollow(ctx: Context, events: ConsumedEvent<SubscriptionChanged>[]): Promise<void> {
  await forgetLeftChannels(ctx, events);
  await followSubscriptions(ctx, events);
}

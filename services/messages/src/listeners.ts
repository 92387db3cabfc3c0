import { type ConsumedEvent, type Consumption, consume } from '@parley/shared/bus';
import {
  type ChannelAccessChanged,
  type ChannelAppeared,
  type ChannelVanished,
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
import { dropUnwantedDrafts } from './drafts/drop-unwanted-drafts';
import { sendNotices } from './notices/send-notices';
import { forgetLeftChannels } from './read-state/forget-left-channels';
import { giveFirstHistory } from './read-state/give-first-history';
import { readArchivedChannels } from './read-state/read-archived-channels';
import { readMutedSenders } from './read-state/read-muted-senders';
import { hideStars, showStars, showStarsByAccess, showStarsOfSubscribers } from './read-state/show-stars';
import { tellReturnedMessages } from './read-state/tell-returned-messages';
import { announceMutedTopics } from './topic-policies/announce-muted-topics';
import {
  hideTopicPolicies,
  showTopicPolicies,
  showTopicPoliciesByAccess,
  showTopicPoliciesOfSubscribers,
} from './topic-policies/show-topic-policies';

/** Every domain event that this service acts on, and its action, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, db, log } = ctx;
  const common = { bus, db, log, service: 'messages' } as const;
  const consumptions: Consumption[] = [
    consume({ ...common, event: noticeAnnounced, handle: (events) => sendNotices(ctx, events) }),
    consume({ ...common, event: userSettingChanged, handle: (events) => dropUnwantedDrafts(ctx, events) }),
    consume({ ...common, event: subscriptionChanged, handle: (events) => followSubscriptions(ctx, events) }),
    consume({ ...common, event: channelVanished, handle: (events) => hide(ctx, events) }),
    consume({ ...common, event: channelAppeared, handle: (events) => show(ctx, events) }),
    consume({ ...common, event: channelAccessChanged, handle: (events) => followAccess(ctx, events) }),
    consume({ ...common, event: channelArchived, handle: (events) => readArchivedChannels(ctx, events) }),
    consume({ ...common, event: messagesReturned, handle: (events) => tellReturnedMessages(ctx, events) }),
    consume({ ...common, event: personJoined, handle: (events) => giveFirstHistory(ctx, events) }),
    consume({ ...common, event: mutedUsersChanged, handle: (events) => readMutedSenders(ctx, events) }),
    consume({ ...common, event: topicPolicyChanged, handle: (events) => announceMutedTopics(ctx, events) }),
  ];
  return async () => {
    await Promise.all(consumptions.map((consumption) => consumption.stop()));
  };
}

async function followSubscriptions(ctx: Context, events: ConsumedEvent<SubscriptionChanged>[]): Promise<void> {
  await forgetLeftChannels(ctx, events);
  await showStarsOfSubscribers(ctx, events);
  await showTopicPoliciesOfSubscribers(ctx, events);
}

async function hide(ctx: Context, events: ConsumedEvent<ChannelVanished>[]): Promise<void> {
  await hideStars(ctx, events);
  await hideTopicPolicies(ctx, events);
}

async function show(ctx: Context, events: ConsumedEvent<ChannelAppeared>[]): Promise<void> {
  await showStars(ctx, events);
  await showTopicPolicies(ctx, events);
}

async function followAccess(ctx: Context, events: ConsumedEvent<ChannelAccessChanged>[]): Promise<void> {
  await showStarsByAccess(ctx, events);
  await showTopicPoliciesByAccess(ctx, events);
}

import { type Consumption, consume } from '@parley/shared/bus';
import {
  mutedUsersChanged,
  noticeAnnounced,
  subscriptionChanged,
  topicPolicyChanged,
  userSettingChanged,
} from '@parley/shared/events';
import type { Context } from './context';
import { dropUnwantedDrafts } from './drafts/drop-unwanted-drafts';
import { sendNotices } from './notices/send-notices';
import { forgetLeftChannels } from './read-state/forget-left-channels';
import { readMutedSenders } from './read-state/read-muted-senders';
import { announceMutedTopics } from './topic-policies/announce-muted-topics';

/** Every domain event that this service acts on, and its action, until the returned function is called. */
export function listen(ctx: Context): () => Promise<void> {
  const { bus, db, log } = ctx;
  const consumptions: Consumption[] = [
    consume({
      bus,
      db,
      log,
      service: 'messages',
      event: noticeAnnounced,
      handle: (events) => sendNotices(ctx, events),
    }),
    consume({
      bus,
      db,
      log,
      service: 'messages',
      event: userSettingChanged,
      handle: (events) => dropUnwantedDrafts(ctx, events),
    }),
    consume({
      bus,
      db,
      log,
      service: 'messages',
      event: subscriptionChanged,
      handle: (events) => forgetLeftChannels(ctx, events),
    }),
    consume({
      bus,
      db,
      log,
      service: 'messages',
      event: mutedUsersChanged,
      handle: (events) => readMutedSenders(ctx, events),
    }),
    consume({
      bus,
      db,
      log,
      service: 'messages',
      event: topicPolicyChanged,
      handle: (events) => announceMutedTopics(ctx, events),
    }),
  ];
  return async () => {
    await Promise.all(consumptions.map((consumption) => consumption.stop()));
  };
}

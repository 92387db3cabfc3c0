import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { type Audience, type DomainEvent, peersAdded } from '@parley/shared/events';
import type { Channel } from '@parley/shared/proto';
import { INHERITED_SETTING_NAMES, withInherited } from '../subscriptions/inherited-notifications';
import { peerEvents, subscriptionEvents } from '../subscriptions/subscription-events';
import { listChoices, listSubscriptions } from '../subscriptions/subscriptions.sql';
import { listSubscriberIds } from './channel-sight.sql';

/**
 * A channel is in use again: tells the clients that lost it when it was archived who is subscribed to it. Those who are get their
 * subscription back, the others hear of them. `audience`: whoever may know of the channel.
 */
export async function announceReturn(
  tx: Transaction,
  realmId: number,
  channel: Channel,
  audience: Audience,
): Promise<void> {
  const [subscribers] = await listSubscriberIds(tx, realmId, [channel.id]);
  if (!subscribers) return;
  const { userIds } = subscribers;
  const records = await listSubscriptions(tx, realmId, [channel.id], userIds);
  const choices = await listChoices(tx, realmId, userIds, INHERITED_SETTING_NAMES);
  const subscriptions = withInherited(records, choices);
  const change = { channelId: channel.id, version: channel.subscriptionVersion, userIds };
  const returned = [{ channel, audience, change }];
  const events = [
    ...subscriptionEvents(realmId, returned, subscriptions, new Map([[channel.id, userIds]])),
    ...peerEvents(realmId, returned, peersAdded),
  ];
  await announce(tx, ...events.map(asReturn));
}

function asReturn(event: DomainEvent): DomainEvent {
  return { ...event, payload: { ...(event.payload as object), isReturn: true } };
}

import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import { type Audience, channelArchived, type DomainEvent, peersAdded } from '@parley/shared/events';
import type { ArchiveChannelRequest, ArchiveChannelResponse, Channel, User } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { loadActor } from '../actors/actor';
import { holdAdministeredChannel } from '../channel-access/access-channel';
import { audienceOf } from '../channel-access/channel-audience';
import { channelEventsTopic } from '../channel-access/channel-input';
import { listSubscriberIds } from '../channel-access/channel-visibility.sql';
import { setIsArchived } from '../channel-access/channels.sql';
import type { Context } from '../context';
import { announceNotice } from '../notices/announce-notice';
import { changeOrganization } from '../organization/change-organization';
import { forgetChannel } from '../organization/forget-channel';
import { loadRealmSettings } from '../organization/realms.sql';
import { leaveDefaultChannelGroups } from '../organization-lists/default-channel-groups';
import { announceDefaultChannels, holdChannel } from '../organization-lists/default-channels';
import { setIsDefault } from '../organization-lists/default-channels.sql';
import { INHERITED_SETTING_NAMES, withInherited } from '../subscriptions/begin-subscriptions';
import { peerEvents, subscriptionEvents } from '../subscriptions/subscription-events';
import { listChoices, listSubscriptions } from '../subscriptions/subscriptions.sql';
import { archivedText, unarchivedText } from './channel-notices';

/** Archives a channel. */
export async function archiveChannel(
  ctx: Context,
  caller: Caller,
  { channelId }: ArchiveChannelRequest,
): Promise<ArchiveChannelResponse> {
  const nowMs = ctx.clock.now();
  // The channel's own permission is checked below.
  return changeOrganization(
    ctx,
    caller,
    () => {},
    async (tx) => {
      const actor = await loadActor(tx, caller, nowMs);
      const { channel } = await holdAdministeredChannel(tx, actor, channelId);
      await changeArchived(tx, actor.user, channel, true, nowMs);
      return {};
    },
  );
}

/**
 * Archives or unarchives a channel; the caller has locked the organization's row and the channel's. Name, privacy, subscribers and
 * history stay, but posting is closed, and the organization's settings no longer refer to the channel.
 */
export async function changeArchived(
  tx: Transaction,
  author: User,
  channel: Channel,
  isArchived: boolean,
  nowMs: number,
): Promise<void> {
  const { realmId } = author;
  if (isArchived) refuseArchiving(channel);
  else refuseUnarchiving(channel);
  await setIsArchived(tx, realmId, channel.id, isArchived);
  const after = { ...channel, isArchived };
  const audience = await audienceOf(tx, realmId, after, nowMs);
  await announce(tx, channelArchived(realmId, { channel: after, audience, atMs: nowMs }));
  if (isArchived) await leadNowhere(tx, realmId, channel.id);
  else await announceReturn(tx, realmId, after, audience);
  await announceArchivedNotice(tx, author, after);
}

function refuseArchiving({ isArchived }: Channel): void {
  if (isArchived) throw new BadRequestError(REFUSAL.channels.archivedAlready);
}

function refuseUnarchiving({ isArchived, isPrivate, subscriberCount }: Channel): void {
  if (!isArchived) throw new BadRequestError(REFUSAL.channels.notArchived);
  if (isPrivate && subscriberCount === 0) throw new BadRequestError('Channel is private and have no subscribers');
}

async function leadNowhere(tx: Transaction, realmId: number, channelId: number): Promise<void> {
  const { isDefault } = await holdChannel(tx, realmId, channelId);
  if (isDefault) {
    await setIsDefault(tx, realmId, channelId, false);
    await announceDefaultChannels(tx, realmId);
  }
  await leaveDefaultChannelGroups(tx, realmId, channelId);
  await announce(tx, ...(await forgetChannel(tx, realmId, channelId)));
}

async function announceArchivedNotice(tx: Transaction, author: User, channel: Channel): Promise<void> {
  const { send_channel_events_messages: areWanted } = await loadRealmSettings(tx, author.realmId);
  if (!areWanted) return;
  await announceNotice(tx, author.realmId, {
    from: 'notification-bot',
    to: { channelId: channel.id, topic: channelEventsTopic(channel) },
    content: channel.isArchived ? archivedText(channel) : unarchivedText(channel),
    readByIds: [author.id],
    isAboutArchiving: channel.isArchived,
  });
}

/**
 * Announces the subscribers of an unarchived channel to the clients that removed it. Subscribers get their subscription again, others the
 * list. `audience`: all who may see the channel.
 */
async function announceReturn(tx: Transaction, realmId: number, channel: Channel, audience: Audience): Promise<void> {
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

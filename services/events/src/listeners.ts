import type { domainEvents, EventKind } from '@parley/shared/events';
import type { Context } from './context';
import { endOfRecord } from './log/event-id';
import type { HeldRecord } from './log/log-record';
import { endQueuesOf } from './queues/end-queues-of';
import { endQueuesOfKeys } from './queues/end-queues-of-keys';
import { endQueuesOfRealm } from './queues/end-queues-of-realm';
import { endWideQueuesOf } from './queues/end-wide-queues-of';

type PayloadOf<Kind extends EventKind> = Parameters<(typeof domainEvents)[Kind]>[1];

/** What this service itself does when something has happened; `null` where it only hands on the public event. */
const listeners: {
  [Kind in EventKind]: ((ctx: Context, realmId: number, payload: PayloadOf<Kind>) => void) | null;
} = {
  'act.performed': null,
  'alert-words.changed': ({ attentions }, realmId, change) => attentions.changeAlertWords(realmId, change),
  'allowed-domain.added': null,
  'allowed-domain.changed': null,
  'allowed-domain.removed': null,
  'api-key.revoked': endQueuesOfKeys,
  'attachment.added': null,
  'attachment.changed': null,
  'attachment.removed': null,
  'avatar.changed': null,
  'bot.changed': null,
  'bot.created': null,
  'bot.lost': null,
  'bot.owner-changed': null,
  'channel-folder.changed': null,
  'channel-folder.created': null,
  'channel-folders.reordered': null,
  'channel-access.changed': null,
  'channel.appeared': null,
  'channel.archived': ({ departures, window }, realmId, change) =>
    departures.noteArchived(realmId, change, window.head, window.floorOf(realmId)),
  'channel.beginning-changed': null,
  'channel.first-message-told': null,
  'channel.changed': null,
  'channel.vanished': null,
  'channel.woken': null,
  'client-device.added': null,
  'client-device.removed': null,
  'custom-emoji.changed': null,
  'default-channel-groups.changed': null,
  'default-channels.changed': null,
  'direct-conversation.begun': null,
  'draft.changed': null,
  'draft.removed': null,
  'drafts.added': null,
  'edit-typing.reported': null,
  'email-visibility.changed': null,
  'email.changed': null,
  'data-exports.changed': null,
  'export-consent.changed': null,
  'flags.changed': null,
  'group.created': null,
  'group.deactivated': null,
  'group.members-added': null,
  'group.members-removed': null,
  'group.reactivated': null,
  'group.subgroups-added': null,
  'group.subgroups-removed': null,
  'group.updated': null,
  'guest-restriction.changed': (ctx, realmId, { guestIds }) => {
    for (const guestId of guestIds) beginAnew(ctx, realmId, guestId);
  },
  'invitations.changed': null,
  'linkifiers.changed': null,
  'message.deleted': null,
  'message.edited': null,
  'message.sent': null,
  'messages.deleted': null,
  'messages.returned': null,
  'messages.filled': endQueuesOfRealm,
  'muted-topics.changed': null,
  'muted-users.changed': ({ attentions, window }, realmId, change) =>
    attentions.changeMutedUsers(realmId, change, endOfRecord(window.head)),
  'navigation-view.added': null,
  'navigation-view.changed': null,
  'navigation-view.removed': null,
  'notice.announced': null,
  'onboarding-step.completed': null,
  'peers.added': null,
  'peers.removed': null,
  'person.joined': null,
  'playgrounds.changed': null,
  'presence.changed': null,
  'profile-fields.changed': null,
  'profile-value.changed': null,
  'reaction.added': null,
  'reaction.removed': null,
  'realm.changed': null,
  'realm.deactivated': endQueuesOfRealm,
  'realm.filled': endQueuesOfRealm,
  'realm.image-changed': null,
  'realm.property-changed': null,
  'release.changed': null,
  'reminder.added': null,
  'reminder.removed': null,
  'saved-snippet.added': null,
  'saved-snippet.changed': null,
  'saved-snippet.removed': null,
  'scheduled-message.added': null,
  'scheduled-message.changed': null,
  'scheduled-message.removed': null,
  'submessage.added': null,
  'subscription.added': null,
  'subscription.changed': ({ subscribers, departures, window }, realmId, change) => {
    subscribers.advance(realmId, change);
    departures.note(realmId, change, window.head, window.floorOf(realmId));
  },
  'subscription.property-changed': null,
  'subscription.removed': null,
  'timezone.changed': null,
  'topic-policy.changed': null,
  'typing.reported': null,
  'user-setting.changed': null,
  'user-settings-default.changed': null,
  'user-status.changed': null,
  'user.created': ({ attentions }, realmId, { user, strangerIds }) => attentions.welcome(realmId, user.id, strangerIds),
  'user.deactivated': (ctx, realmId, { userId, lostByIds }) => {
    ctx.attentions.changeKnown(realmId, lostByIds, userId, false);
    beginAnew(ctx, realmId, userId);
  },
  'user.lost': ({ attentions }, realmId, { userId, guestIds }) =>
    attentions.changeKnown(realmId, guestIds, userId, false),
  'user.met': ({ attentions }, realmId, { user, seerIds, otherIds }) =>
    attentions.changeKnown(realmId, [...seerIds, ...otherIds], user.id, true),
  'user.reactivated': null,
  'user.renamed': null,
  'user.role-changed': (ctx, realmId, { userId, role, endsQueues }) => {
    ctx.attentions.changeRole(realmId, userId, role);
    if (endsQueues === 'all') beginAnew(ctx, realmId, userId);
    if (endsQueues === 'wide') endWideQueuesOf(ctx, realmId, userId);
  },
  'webhook-bots.called': null,
};

/** Somebody may know others than before, or is not told whom they know until they are back. */
function beginAnew(ctx: Context, realmId: number, userId: number): void {
  ctx.attentions.forget(realmId, userId);
  endQueuesOf(ctx, realmId, userId);
}

/** Called with every record of the log, in order, before anybody gets its public events. */
export function listen(ctx: Context, record: HeldRecord): void {
  const listener = listeners[record.kind] as ((ctx: Context, realmId: number, payload: unknown) => void) | null;
  if (listener === null) return;
  for (const payload of record.payloads) listener(ctx, record.realmId, payload);
}

import type { domainEvents, EventKind } from '@parley/shared/events';
import type { User } from '@parley/shared/proto';
import type { Context } from './context';
import { endOfRecord } from './log/event-id';
import type { WindowRecord } from './log/window-record';
import { endQueuesOf, endQueuesOfKeys, endQueuesOfRealm, endWideQueuesOf } from './queues/end-queues';

type PayloadOf<Kind extends EventKind> = Parameters<(typeof domainEvents)[Kind]>[1];

/** Effects of events on this service itself; other events only pass through to clients. */
const listeners: {
  [Kind in EventKind]?: (ctx: Context, realmId: number, payload: PayloadOf<Kind>) => void;
} = {
  'alert-words.changed': ({ attentions }, realmId, change) => attentions.changeAlertWords(realmId, change),
  'api-key.revoked': endQueuesOfKeys,
  'avatar.changed': noteAccount,
  'channel.archived': ({ departures, window }, realmId, change) =>
    departures.noteArchived(realmId, change, window.head, window.floorOf(realmId)),
  'channel.changed': ({ window }, realmId, change) =>
    window.names.noteChannel(realmId, change, window.head, window.floorOf(realmId)),
  'email.changed': noteAccount,
  'email-visibility.changed': noteAccount,
  'guest-restriction.changed': (ctx, realmId, { guestIds }) => {
    for (const guestId of guestIds) endOutdatedQueues(ctx, realmId, guestId);
  },
  'messages.filled': endQueuesOfRealm,
  'muted-users.changed': ({ attentions, window }, realmId, change) =>
    attentions.changeMutedUsers(realmId, change, endOfRecord(window.head)),
  'realm.deactivated': endQueuesOfRealm,
  'realm.filled': endQueuesOfRealm,
  'subscription.changed': ({ subscribers, departures, window }, realmId, change) => {
    subscribers.advance(realmId, change);
    departures.note(realmId, change, window.head, window.floorOf(realmId));
  },
  'user.created': ({ attentions }, realmId, { user, strangerIds }) => attentions.welcome(realmId, user.id, strangerIds),
  'user.deactivated': (ctx, realmId, { userId, lostByIds }) => {
    ctx.attentions.changeKnown(realmId, lostByIds, userId, false);
    endOutdatedQueues(ctx, realmId, userId);
  },
  'user.lost': ({ attentions }, realmId, { userId, guestIds }) =>
    attentions.changeKnown(realmId, guestIds, userId, false),
  'user.met': ({ attentions }, realmId, { user, seerIds, otherIds }) =>
    attentions.changeKnown(realmId, [...seerIds, ...otherIds], user.id, true),
  'user.renamed': ({ window }, realmId, change) =>
    window.names.noteName(realmId, change, window.head, window.floorOf(realmId)),
  'user.role-changed': (ctx, realmId, { userId, role, endsQueues }) => {
    ctx.attentions.changeRole(realmId, userId, role);
    if (endsQueues === 'all') endOutdatedQueues(ctx, realmId, userId);
    if (endsQueues === 'wide') endWideQueuesOf(ctx, realmId, userId);
  },
};

function noteAccount({ window }: Context, realmId: number, change: { user: User }): void {
  window.names.noteAccount(realmId, change, window.head, window.floorOf(realmId));
}

/** The users visible to this user have changed: their queues end, and their clients register again. */
function endOutdatedQueues(ctx: Context, realmId: number, userId: number): void {
  ctx.attentions.forget(realmId, userId);
  endQueuesOf(ctx, realmId, userId);
}

/** Called with every record of the log, in order, before its public events are delivered. */
export function listen(ctx: Context, record: WindowRecord): void {
  const listener = listeners[record.kind] as ((ctx: Context, realmId: number, payload: unknown) => void) | undefined;
  if (listener === undefined) return;
  for (const payload of record.payloads) listener(ctx, record.realmId, payload);
}

import type { domainEvents, EventKind } from '@parley/shared/events';
import type { Context } from './context';
import type { HeldRecord } from './log/log-record';

type PayloadOf<Kind extends EventKind> = Parameters<(typeof domainEvents)[Kind]>[1];

/** What this service itself does when something has happened; `null` where it only hands on the public event. */
const listeners: {
  [Kind in EventKind]: ((ctx: Context, realmId: number, payload: PayloadOf<Kind>) => void) | null;
} = {
  'alert-words.changed': null,
  'allowed-domain.added': null,
  'allowed-domain.changed': null,
  'allowed-domain.removed': null,
  'api-key.revoked': null,
  'channel-folder.changed': null,
  'channel-folder.created': null,
  'channel-folders.reordered': null,
  'custom-emoji.changed': null,
  'default-channels.changed': null,
  'email-visibility.changed': null,
  'export-consent.changed': null,
  'group.created': null,
  'group.deactivated': null,
  'group.members-added': null,
  'group.members-removed': null,
  'group.reactivated': null,
  'group.subgroups-added': null,
  'group.subgroups-removed': null,
  'group.updated': null,
  'linkifiers.changed': null,
  'message.sent': null,
  'muted-users.changed': null,
  'navigation-view.added': null,
  'navigation-view.changed': null,
  'navigation-view.removed': null,
  'playgrounds.changed': null,
  'profile-fields.changed': null,
  'profile-value.changed': null,
  'subscription.changed': ({ subscribers }, realmId, change) => subscribers.advance(realmId, change),
  'timezone.changed': null,
  'user-setting.changed': null,
  'user-settings-default.changed': null,
  'user-status.changed': null,
  'user.renamed': null,
};

/** Called with every record of the log, in order, before anybody gets its public events. */
export function listen(ctx: Context, record: HeldRecord): void {
  const listener = listeners[record.kind] as ((ctx: Context, realmId: number, payload: unknown) => void) | null;
  if (listener === null) return;
  for (const payload of record.payloads) listener(ctx, record.realmId, payload);
}

import { actPerformed } from './acts';
import { webhookBotsCalled } from './bots';
import {
  channelAccessChanged,
  channelAppeared,
  channelArchived,
  channelBeginningChanged,
  channelVanished,
  channelWoken,
} from './channels';
import { directConversationBegun, topicPolicyChanged } from './conversations';
import * as declared from './declarations';
import type { EventDeclaration } from './declare-event';
import { flagsChanged, messagesReturned } from './flags';
import { invitationsChanged } from './invitations';
import { mentionsChanged } from './mentions-changed';
import { messageSent } from './message-sent';
import { messagesDeleted } from './messages-deleted';
import { noticeAnnounced } from './notices';
import { realmDeactivated } from './organization';
import { subscriptionChanged } from './subscriptions';
import { mutedUsersChanged, userSettingChanged } from './user-settings';
import { apiKeyRevoked, personJoined, userDeactivated, userRoleChanged } from './users';

type Declared = (typeof declared)[keyof typeof declared];
// biome-ignore lint/suspicious/noExplicitAny: whatever the payload is.
type AnyDeclaration = Extract<Declared, EventDeclaration<any, any>>;

/** All domain events, by kind, from the files in declarations.ts. */
export const domainEvents = Object.fromEntries(
  Object.values<unknown>(declared)
    .filter(isDeclaration)
    .map((declaration) => [declaration.kind, declaration]),
) as { readonly [Declaration in AnyDeclaration as Declaration['kind']]: Declaration };

export type EventKind = keyof typeof domainEvents;

/** The events that services consume(): they are published again after a loss of the log. */
export const consumedKinds = [
  actPerformed.kind,
  apiKeyRevoked.kind,
  channelAccessChanged.kind,
  channelAppeared.kind,
  channelVanished.kind,
  channelArchived.kind,
  channelBeginningChanged.kind,
  channelWoken.kind,
  directConversationBegun.kind,
  flagsChanged.kind,
  invitationsChanged.kind,
  mentionsChanged.kind,
  messageSent.kind,
  messagesDeleted.kind,
  messagesReturned.kind,
  mutedUsersChanged.kind,
  noticeAnnounced.kind,
  personJoined.kind,
  realmDeactivated.kind,
  subscriptionChanged.kind,
  topicPolicyChanged.kind,
  userDeactivated.kind,
  userRoleChanged.kind,
  userSettingChanged.kind,
  webhookBotsCalled.kind,
] as const;

export type ConsumedKind = (typeof consumedKinds)[number];

/**
 * Frequent kinds of which only the latest are published again: all of them would delay the new events. What a service has not handled
 * for that time, when the log is lost as well, it never handles.
 */
export const BRIEFLY_REFILLED = {
  kinds: [messageSent.kind, mentionsChanged.kind, flagsChanged.kind],
  hours: 1,
} as const;

function isDeclaration(value: unknown): value is AnyDeclaration {
  return typeof value === 'function' && 'kind' in value && 'publicShapes' in value;
}

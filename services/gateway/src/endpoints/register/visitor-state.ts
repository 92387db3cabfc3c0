import { BadRequestError } from '@parley/shared/errors';
import { VISITOR_ID } from '@parley/shared/values';
import type { Context } from '../../context';
import {
  publicReadState,
  publicSchedule,
  publicTopicPolicies,
  publicWritings,
  wantsTopicPolicies,
} from './message-state';
import { gatherRealmParts, type Registering } from './realm-state';
import { capabilitiesOf, type RegisterParameters, wantedParts } from './register-request';

/** Regardless of the organization's settings: visitors cannot edit, see no presence, and get no hints. */
const OVERRIDES = { realm_allow_message_editing: false, realm_presence_disabled: true, onboarding_steps: [] };

const NO_MESSAGES = { maxMessageId: -1, starredIds: [], recentDirects: [] };
const NOTHING_UNREAD = { count: 0, topics: [], directs: [], mentionIds: [], hasOlder: false };

/** The state for visitors without an account: web-public channels, and empty values for personal data. */
export async function gatherVisitorState(ctx: Context, request: Registering, values: RegisterParameters) {
  refuseForVisitors(values);
  const capabilities = capabilitiesOf(values);
  const { wanted, isWanted } = wantedParts(values);
  const { parts } = await gatherRealmParts(ctx, request, values, { capabilities, isWanted });
  const state: Record<string, unknown> = Object.assign({}, ...parts);
  const overridden = Object.entries(OVERRIDES).filter(([name]) => name in state);
  return {
    ...state,
    ...Object.fromEntries(overridden),
    ...noMessages(isWanted),
    ...publicWritings({ drafts: [], savedSnippets: [] }, isWanted),
    ...publicSchedule({ scheduledMessages: [], reminders: [], snapshot: '' }, isWanted),
    ...(wantsTopicPolicies(isWanted) && publicTopicPolicies({ topicPolicies: [] }, wanted, true)),
    ...(isWanted('presence') && noPresences(ctx)),
  };
}

function refuseForVisitors(values: RegisterParameters): void {
  if (values.client_gravatar) throw refused('client_gravatar');
  if (values.include_subscribers !== 'false') throw refused('include_subscribers');
}

function refused(name: string): BadRequestError {
  return new BadRequestError(`Invalid '${name}' parameter for anonymous request`);
}

function noMessages(isWanted: (type: string) => boolean) {
  const areUnreadWanted = isWanted('message') && isWanted('update_message_flags');
  const messages = { ...NO_MESSAGES, unread: areUnreadWanted ? NOTHING_UNREAD : null };
  return publicReadState(messages, isWanted, { userId: VISITOR_ID, isEmptyTopicUnderstood: true });
}

function noPresences({ clock }: Context) {
  return { presences: {}, presence_last_update_id: -1, server_timestamp: clock.now() / 1000 };
}

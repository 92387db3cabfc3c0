import { type Caller, newCall } from '@parley/shared/rpc';
import { z } from 'zod';
import type { Values } from '../../http/endpoint';
import { boundedText, json } from '../../http/parameters';
import { decodeQueueNarrow, queueNarrowSchema } from '../../wire/narrow';
import { includeSubscribers } from '../subscriptions';

const eventTypes = z.array(boundedText(100)).max(200);
const capability = z.boolean().optional();

export const registerParameters = {
  event_types: json(eventTypes.optional().describe('Types of events that the queue gets; absent: all.')),
  fetch_event_types: json(eventTypes.optional().describe('Parts of the state that are answered; absent: event_types.')),
  narrow: json(queueNarrowSchema, { read: decodeQueueNarrow }),
  all_public_streams: json(z.boolean().optional().describe('Absent: false, or what the bot has set.')),
  apply_markdown: json(z.boolean().default(false)),
  client_gravatar: json(z.boolean().optional().describe('Absent: true; for whoever is not signed in, false.')),
  include_subscribers: includeSubscribers,
  client_capabilities: json(
    z
      .object({
        notification_settings_null: capability,
        bulk_message_deletion: capability,
        user_avatar_url_field_optional: capability,
        stream_typing_notifications: capability,
        user_settings_object: capability,
        linkifier_url_template: capability,
        user_list_incomplete: capability,
        include_deactivated_groups: capability,
        archived_channels: capability,
        empty_topic_name: capability,
        simplified_presence_events: capability,
      })
      .default({}),
  ),
  slim_presence: json(z.boolean().default(false).describe('Deprecated: see simplified_presence_events.')),
  presence_history_limit_days: json(z.int().nonnegative().optional().describe('0: nobody is answered.')),
  queue_lifespan_secs: json(z.int().nonnegative().default(0).describe('Idle time after which the queue may go.')),
};

export type RegisterParameters = Values<typeof registerParameters>;

/** Names of the client's capabilities. */
export function capabilitiesOf(values: RegisterParameters): string[] {
  const entries = Object.entries(values.client_capabilities);
  const names = entries.filter(([, isUnderstood]) => isUnderstood).map(([name]) => name);
  return values.slim_presence ? [...names, 'slim_presence'] : names;
}

/** Whether the client requests a part of the state. */
export function wantedParts({ fetch_event_types: fetched, event_types: heard }: RegisterParameters) {
  const wanted = fetched ?? heard;
  return { wanted, isWanted: (type: string) => wanted === undefined || wanted.includes(type) };
}

/** Time limit of a registration; less than proxies wait for an answer. */
const REGISTRATION_MS = 45_000;

/**
 * The caller of POST /register, which needs several consecutive calls. On a busy machine each takes long, so each has a call's
 * usual time limit, and all together have the limit above. An unreachable service is not waited for any longer.
 */
export interface RegisteringCall extends Caller {
  /** The deadline for the whole registration, UNIX milliseconds. */
  endsAt: number;
}

export function registeringCall(caller: Caller): RegisteringCall {
  return nextQuestion({ ...caller, endsAt: newCall(caller.requestId, REGISTRATION_MS).deadlineAt });
}

/** The call for the next request, after an answer. */
export function nextQuestion(call: RegisteringCall): RegisteringCall {
  const { deadlineAt } = newCall(call.requestId);
  return { ...call, deadlineAt: Math.min(deadlineAt, call.endsAt) };
}

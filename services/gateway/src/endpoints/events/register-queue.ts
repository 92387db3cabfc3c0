import { type Caller, newCall } from '@parley/shared/rpc';
import { availableMethods, botDomain, realmUrl } from '@parley/shared/values';
import { z } from 'zod';
import type { Context } from '../../context';
import { endpoint, type UserRequest, type Values } from '../../http/endpoint';
import { boundedText, json } from '../../http/parameters';
import { serverVersion } from '../../wire/brands';
import { channelsOf } from '../../wire/register-state/channel-bundles';
import { realmBundles, realmFields } from '../../wire/register-state/realm-bundles';
import {
  publicTopicPolicies,
  topicPolicyFields,
  wantsTopicPolicies,
} from '../../wire/register-state/topic-policy-bundles';
import { publicReadState, readStateFields, wantedReadState } from '../../wire/register-state/unread-bundle';
import { publicWritings, wantedWritings, writingFields } from '../../wire/register-state/writing-bundles';
import { loadActivities } from '../channels/load-activities';
import { areSubscribersIncluded, includeSubscribers } from '../subscriptions/subscription-parameters';
import { decodeQueueNarrow, queueNarrowSchema } from './decode-queue-narrow';
import { queueScope } from './queue-scope';

const MAX_LIFESPAN_SECS = 7 * 24 * 3600;

const eventTypes = z.array(boundedText(100)).max(200);
const capability = z.boolean().optional();

const parameters = {
  event_types: json(eventTypes.optional().describe('Types of events that the queue gets; absent: all.')),
  fetch_event_types: json(eventTypes.optional().describe('Parts of the state that are answered; absent: event_types.')),
  narrow: json(queueNarrowSchema, { read: decodeQueueNarrow }),
  all_public_streams: json(z.boolean().optional().describe('Absent: false, or what the bot has set.')),
  apply_markdown: json(z.boolean().default(false)),
  client_gravatar: json(z.boolean().default(true)),
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
  queue_lifespan_secs: json(z.int().nonnegative().default(0).describe('Idle time after which the queue may go.')),
};

type Parameters = Values<typeof parameters>;

export const registerQueue = endpoint({
  method: 'POST',
  path: '/register',
  summary: 'Make an event queue, and get the state that its events change',
  auth: 'user',
  parameters,
  result: z.strictObject({
    queue_id: z.string(),
    last_event_id: z.int(),
    service_feature_level: z.int(),
    service_version: z.string(),
    service_merge_base: z.string(),
    ...z.strictObject({ ...realmFields, ...readStateFields, ...writingFields, ...topicPolicyFields }).partial().shape,
  }),
  errors: [],
  async handler(ctx, request, values) {
    const capabilities = capabilitiesOf(values);
    const { queueId, lastEventId } = await createQueue(ctx, request, values, capabilities);
    // The state is read after the queue has begun: it may hold what the first events say again, but it misses nothing.
    const state = await gatherState(ctx, request, values, capabilities).catch((error) => {
      void deleteUnused(ctx, request.call, queueId);
      throw error;
    });
    return { queue_id: queueId, last_event_id: lastEventId, ...serverVersion, ...state };
  },
});

function capabilitiesOf(values: Parameters): string[] {
  const entries = Object.entries(values.client_capabilities);
  return entries.filter(([, isUnderstood]) => isUnderstood).map(([name]) => name);
}

async function createQueue(ctx: Context, request: UserRequest, values: Parameters, capabilities: string[]) {
  const { narrow, all_public_streams: allPublicChannels } = values;
  const scope = await queueScope(ctx, request, { narrow, allPublicChannels });
  return ctx.services.events.createQueue(request.call, {
    eventTypes: values.event_types ?? [],
    hasEventTypes: values.event_types !== undefined,
    ...scope,
    applyMarkdown: values.apply_markdown,
    clientGravatar: values.client_gravatar,
    capabilities,
    lifespanSecs: Math.min(values.queue_lifespan_secs, MAX_LIFESPAN_SECS),
    clientName: request.clientName,
  });
}

async function gatherState(ctx: Context, request: UserRequest, values: Parameters, capabilities: string[]) {
  const { realm, messages } = ctx.services;
  const wanted = values.fetch_event_types ?? values.event_types;
  const isWanted = (type: string) => wanted === undefined || wanted.includes(type);
  const bundles = realmBundles.filter(({ type }) => isWanted(type));
  const includesSubscribers = areSubscribersIncluded(values);
  const writings = wantedWritings(isWanted);
  const readState = wantedReadState(isWanted);
  const [realmState, messageState, writingState, topicState] = await Promise.all([
    bundles.length > 0 ? realm.getRegisterState(request.call, { includesSubscribers }) : undefined,
    readState && messages.getMessageState(request.call, readState),
    writings && messages.getWritings(request.call, writings),
    wantsTopicPolicies(isWanted) ? messages.listTopicPolicies(request.call, {}) : undefined,
  ]);
  const areChannelsShown = realmState !== undefined && (isWanted('subscription') || isWanted('stream'));
  const view = {
    clientGravatar: values.client_gravatar,
    capabilities: new Set(capabilities),
    includesSubscribers,
    activityOf: await loadActivities(ctx, request.call, areChannelsShown ? channelsOf(realmState) : []),
    origin: realmUrl(request.subdomain, ctx.config.EXTERNAL_HOST),
    botDomain: botDomain(request.subdomain, ctx.config.EXTERNAL_HOST),
    authenticationMethods: availableMethods(ctx.config),
    areWebPublicChannelsEnabled: ctx.config.WEB_PUBLIC_STREAMS_ENABLED,
    maxFileUploadMib: ctx.config.MAX_FILE_UPLOAD_SIZE_MIB,
    uploadQuotaMib: ctx.config.UPLOAD_QUOTA_MIB ?? null,
    startedAtMs: ctx.startedAtMs,
  };
  const isEmptyTopicUnderstood = view.capabilities.has('empty_topic_name');
  const parts = realmState ? bundles.map((bundle) => bundle.present(realmState, view)) : [];
  return Object.assign(
    {},
    ...parts,
    messageState && publicReadState(messageState, isWanted, { userId: request.call.userId, isEmptyTopicUnderstood }),
    writingState && publicWritings(writingState, isWanted),
    topicState && publicTopicPolicies(topicState, wanted, isEmptyTopicUnderstood),
  );
}

/** Nobody will ever know of this queue. Should it stay after all, it ends by itself. */
async function deleteUnused({ services, log }: Context, caller: Caller, queueId: string): Promise<void> {
  const { requestId } = caller;
  try {
    await services.events.deleteQueue({ ...caller, ...newCall(requestId) }, { queueId });
  } catch (error) {
    log.warn({ err: error, requestId }, 'a queue of a failed registration stays until it ends');
  }
}

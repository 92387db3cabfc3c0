import { ServiceUnavailableError } from '@parley/shared/errors';
import { type Caller, newCall } from '@parley/shared/rpc';
import { isVisitor } from '@parley/shared/values';
import { z } from 'zod';
import type { Context } from '../../context';
import { endpoint, type UserRequest } from '../../http/endpoint';
import { serverVersion } from '../../wire/brands';
import { presenceFields } from '../../wire/register-state/presence-bundle';
import { realmFields } from '../../wire/register-state/realm-bundles';
import { publicSchedule, scheduleFields, wantedSchedule } from '../../wire/register-state/schedule-bundles';
import {
  publicTopicPolicies,
  topicPolicyFields,
  wantsTopicPolicies,
} from '../../wire/register-state/topic-policy-bundles';
import { publicReadState, readStateFields, wantedReadState } from '../../wire/register-state/unread-bundle';
import { publicWritings, wantedWritings, writingFields } from '../../wire/register-state/writing-bundles';
import { gatherRealmParts, type Registering } from './gather-realm-parts';
import { gatherVisitorState } from './gather-visitor-state';
import { loadPresences } from './load-presences';
import { queueScope } from './queue-scope';
import { capabilitiesOf, type RegisterParameters, registerParameters, wantedParts } from './register-parameters';

const MAX_LIFESPAN_SECS = 7 * 24 * 3600;

export const registerQueue = endpoint({
  method: 'POST',
  path: '/register',
  summary: 'Make an event queue, and get the state that its events change',
  auth: 'user',
  isOpenToVisitors: true,
  parameters: registerParameters,
  ownLimitOf: () => 'registrations',
  result: z.strictObject({
    queue_id: z.string().nullable().describe('null: whoever is not signed in has no queue.'),
    last_event_id: z.int().optional(),
    service_feature_level: z.int(),
    service_version: z.string(),
    service_merge_base: z.string(),
    ...z
      .strictObject({
        ...realmFields,
        ...readStateFields,
        ...writingFields,
        ...scheduleFields,
        ...topicPolicyFields,
        ...presenceFields,
      })
      .partial().shape,
  }),
  errors: [],
  handler: (ctx, request, values) => {
    let isOver = false;
    request.onEnd(() => {
      isOver = true;
    });
    const registrations = isVisitor(request.call) ? ctx.visitorRegistrations : ctx.registrations;
    return registrations.run(() => {
      // Whoever has gone while they waited needs no queue.
      if (isOver) throw new ServiceUnavailableError();
      return register(ctx, request, values);
    });
  },
});

async function register(ctx: Context, request: UserRequest, values: RegisterParameters) {
  const { role, isBot, subdomain, clientName, credential } = request;
  // Waiting for one's turn is not at the expense of the work.
  const call = { ...request.call, ...newCall(request.call.requestId) };
  const registering = { call, role, isBot, subdomain, clientName, credential };
  if (isVisitor(call)) return registerVisitor(ctx, registering, values);
  const capabilities = capabilitiesOf(values);
  const { queueId, lastEventId } = await createQueue(ctx, registering, values, capabilities);
  // The state is read after the queue has begun: it may hold what the first events say again, but it misses nothing.
  const state = await gatherState(ctx, registering, values, capabilities).catch((error) => {
    void deleteUnused(ctx, call, queueId);
    throw error;
  });
  return { queue_id: queueId, last_event_id: lastEventId, ...serverVersion, ...state };
}

async function registerVisitor(ctx: Context, request: Registering, values: RegisterParameters) {
  const state = await gatherVisitorState(ctx, request, values);
  return { queue_id: null, ...serverVersion, ...state };
}

async function createQueue(ctx: Context, request: Registering, values: RegisterParameters, capabilities: string[]) {
  const { narrow, all_public_streams: allPublicChannels } = values;
  const scope = await queueScope(ctx, request, { narrow, allPublicChannels });
  return ctx.services.events.createQueue(request.call, {
    eventTypes: values.event_types ?? [],
    hasEventTypes: values.event_types !== undefined,
    ...scope,
    applyMarkdown: values.apply_markdown,
    clientGravatar: values.client_gravatar ?? true,
    capabilities,
    lifespanSecs: Math.min(values.queue_lifespan_secs, MAX_LIFESPAN_SECS),
    clientName: request.clientName,
    apiKeyId: request.credential.apiKeyId,
  });
}

async function gatherState(ctx: Context, request: Registering, values: RegisterParameters, capabilities: string[]) {
  const { messages, scheduler } = ctx.services;
  const { wanted, isWanted } = wantedParts(values);
  const writings = wantedWritings(isWanted);
  const schedule = wantedSchedule(isWanted);
  const readState = wantedReadState(isWanted);
  const presenceView = { capabilities, historyLimitDays: values.presence_history_limit_days };
  const [realmParts, messageState, writingState, scheduleState, topicState, presenceState] = await Promise.all([
    gatherRealmParts(ctx, request, values, { capabilities, isWanted }),
    readState && messages.getMessageState(request.call, readState),
    writings && messages.getWritings(request.call, writings),
    schedule && scheduler.getSchedule(request.call, schedule),
    wantsTopicPolicies(isWanted) ? messages.listTopicPolicies(request.call, {}) : undefined,
    loadPresences(ctx, request.call, isWanted, presenceView),
  ]);
  const isEmptyTopicUnderstood = capabilities.includes('empty_topic_name');
  return Object.assign(
    {},
    ...realmParts,
    messageState && publicReadState(messageState, isWanted, { userId: request.call.userId, isEmptyTopicUnderstood }),
    writingState && publicWritings(writingState, isWanted),
    scheduleState && publicSchedule(scheduleState, isWanted),
    topicState && publicTopicPolicies(topicState, wanted, isEmptyTopicUnderstood),
    presenceState,
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

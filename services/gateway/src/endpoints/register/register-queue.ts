import { ServiceUnavailableError } from '@parley/shared/errors';
import type { CreateQueueRequest, QueueNarrowTerm, Schedule } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { isVisitor } from '@parley/shared/values';
import { z } from 'zod';
import type { Context } from '../../context';
import { serverVersion } from '../../http/brands';
import { endpoint, type UserRequest } from '../../http/endpoint';
import { presenceFields } from '../presence-list';
import {
  publicReadState,
  publicSchedule,
  publicTopicPolicies,
  publicWritings,
  readStateFields,
  scheduleFields,
  topicPolicyFields,
  wantedReadState,
  wantedSchedule,
  wantedWritings,
  wantsTopicPolicies,
  writingFields,
} from './message-state';
import { realmFields } from './realm-bundles';
import { gatherRealmParts, type Registering } from './realm-state';
import {
  capabilitiesOf,
  nextQuestion,
  type RegisterParameters,
  registeringCall,
  registerParameters,
  wantedParts,
} from './register-request';
import { gatherVisitorState } from './visitor-state';

const MAX_LIFESPAN_SECS = 7 * 24 * 3600;
const SNAPSHOT_TIMEOUT_MS = 1_000;
const NOTHING = { includesScheduledMessages: false, includesReminders: false };

export const registerQueue = endpoint({
  method: 'POST',
  path: '/register',
  summary: 'Make an event queue, and get the state that its events change',
  auth: 'user',
  isOpenToVisitors: true,
  identifiesFirst: true,
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
      // The client hung up while it waited.
      if (isOver) throw new ServiceUnavailableError();
      return register(ctx, request, values);
    });
  },
});

async function register(ctx: Context, request: UserRequest, values: RegisterParameters) {
  const { role, isBot, subdomain, clientName, apiKeyId } = request;
  // The time limit does not include waiting for admission.
  const call = registeringCall(request.call);
  const registering = { call, role, isBot, subdomain, clientName, apiKeyId };
  if (isVisitor(call)) return registerVisitor(ctx, registering, values);
  const capabilities = capabilitiesOf(values);
  // Later changes are in the queue or in the state; the queue skips those that are in both.
  const queue = await describeQueue(ctx, registering, values, capabilities);
  const { events } = ctx.services;
  const beginning = await events.getQueueBeginning(nextQuestion(call), queue);
  const { state, snapshots } = await gatherState(ctx, registering, values, capabilities);
  const { queueId, lastEventId } = await events.createQueue(nextQuestion(call), { ...queue, beginning, snapshots });
  // NOTE: not spread into another object, as the state has hundreds of members.
  return Object.assign(state, { queue_id: queueId, last_event_id: lastEventId, ...serverVersion });
}

async function registerVisitor(ctx: Context, request: Registering, values: RegisterParameters) {
  const state = await gatherVisitorState(ctx, request, values);
  return { queue_id: null, ...serverVersion, ...state };
}

async function describeQueue(
  ctx: Context,
  request: Registering,
  values: RegisterParameters,
  capabilities: string[],
): Promise<CreateQueueRequest> {
  const { narrow, all_public_streams: allPublicChannels } = values;
  const scope = await queueScope(ctx, request, { narrow, allPublicChannels });
  return {
    eventTypes: values.event_types ?? [],
    hasEventTypes: values.event_types !== undefined,
    ...scope,
    applyMarkdown: values.apply_markdown,
    clientGravatar: values.client_gravatar ?? true,
    capabilities,
    lifespanSecs: Math.min(values.queue_lifespan_secs, MAX_LIFESPAN_SECS),
    clientName: request.clientName,
    apiKeyId: request.apiKeyId,
    snapshots: [],
  };
}

/** The state, with the snapshot of each service from which its part was read. */
async function gatherState(ctx: Context, request: Registering, values: RegisterParameters, capabilities: string[]) {
  const { scheduler, invites } = ctx.services;
  const call = nextQuestion(request.call);
  const { wanted, isWanted } = wantedParts(values);
  const schedule = wantedSchedule(isWanted);
  const gathering = gatherRealmParts(ctx, request, values, { capabilities, isWanted });
  const [realm, scheduled, invited] = await Promise.all([
    gathering,
    schedule ? scheduler.getSchedule(call, schedule) : ifReachable(scheduler.getSchedule(call, NOTHING), gathering),
    ifReachable(invites.getSnapshot(call, {}), gathering),
  ]);
  // NOTE: after realm's part. Messages reads newer facts from realm: realm's events cover the time between.
  const messages = await loadMessagesState(ctx, nextQuestion(request.call), isWanted);
  const isEmptyTopicUnderstood = capabilities.includes('empty_topic_name');
  const state = Object.assign(
    {},
    ...realm.parts,
    messages?.uploadQuota && { realm_upload_quota_mib: messages.uploadQuota.mib ?? null },
    messages?.messages && publicReadState(messages.messages, isWanted, { userId: call.userId, isEmptyTopicUnderstood }),
    messages?.writings && publicWritings(messages.writings, isWanted),
    schedule && publicSchedule(scheduled as Schedule, isWanted),
    messages?.topicPolicies && publicTopicPolicies(messages.topicPolicies, wanted, isEmptyTopicUnderstood),
  );
  const readFrom = {
    realm: realm.snapshot,
    messages: messages?.snapshot,
    scheduler: scheduled?.snapshot,
    invites: invited?.snapshot,
  };
  const snapshots = Object.entries(readFrom).flatMap(([service, snapshot]) =>
    snapshot ? [{ service, snapshot }] : [],
  );
  return { state, snapshots };
}

/**
 * The snapshot of a service whose state is not requested; undefined if the service is unreachable. Waits as long as for `needed`,
 * and at least a second, so that a slow machine does not drop it.
 */
async function ifReachable<T>(answer: Promise<T>, needed?: Promise<unknown>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise((resolve) => {
    timer = setTimeout(resolve, SNAPSHOT_TIMEOUT_MS);
  });
  const enough = Promise.all([needed, pause]);
  try {
    return await Promise.race([answer, enough.then(() => undefined)]);
  } catch (error) {
    if (error instanceof ServiceUnavailableError) return undefined;
    throw error;
  } finally {
    // NOTE: not by a signal, which makes an error with its stack each time.
    clearTimeout(timer);
    // If either of them is late.
    void Promise.allSettled([answer, enough]);
  }
}

function loadMessagesState({ services }: Context, call: Caller, isWanted: (type: string) => boolean) {
  const messages = wantedReadState(isWanted);
  const writings = wantedWritings(isWanted);
  const needed = {
    ...(messages && { messages }),
    ...(writings && { writings }),
    ...(wantsTopicPolicies(isWanted) && { topicPolicies: {} }),
  };
  // The quota is optional: clients can register without it.
  const wanted = { ...needed, ...(isWanted('realm') && { includesUploadQuota: true }) };
  const answer = services.messages.getClientState(call, wanted);
  return Object.keys(needed).length > 0 ? answer : ifReachable(answer);
}

/** The scope of a queue. */
interface QueueScope {
  narrow: QueueNarrowTerm[];
  allPublicChannels: boolean;
}

/** The scope that the client requested (`allPublicChannels` undefined: none); bots default to their owners' choices. */
export async function queueScope(
  { services }: Context,
  { call, isBot }: Pick<UserRequest, 'call' | 'isBot'>,
  { narrow, allPublicChannels }: { narrow: QueueNarrowTerm[]; allPublicChannels: boolean | undefined },
): Promise<QueueScope> {
  const isSettled = narrow.length > 0 && allPublicChannels !== undefined;
  if (!isBot || isSettled) return { narrow, allPublicChannels: allPublicChannels ?? false };
  const { eventsChannel, hearsAllPublicChannels } = await services.realm.getOwnBotDefaults(call, {});
  const ownNarrow = eventsChannel === undefined ? [] : [{ operator: 'channel', operand: eventsChannel }];
  return {
    narrow: narrow.length > 0 ? narrow : ownNarrow,
    allPublicChannels: allPublicChannels ?? hearsAllPublicChannels,
  };
}

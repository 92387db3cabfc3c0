import { BadRequestError } from '@parley/shared/errors';
import { domainEvents, type PublicShape } from '@parley/shared/events';
import { z } from 'zod';
import type { EventPods, PollQuestion } from '../event-pods/event-pods';
import { Deferred } from '../http/deferred';
import { endpoint, PreparedResult, type UserRequest } from '../http/endpoint';
import { json, opaqueText, text } from '../http/parameters';

/** Longer than any valid queue id. */
export const MAX_QUEUE_ID_LENGTH = 200;

const shapes = Object.values(domainEvents).flatMap(({ publicShapes }) => publicShapes as PublicShape<never>[]);
/** The types of all declared events, and the queues' own heartbeat. */
const TYPES = [...new Set([...shapes.map(({ type }) => type), 'heartbeat'])].sort();
/** For the OpenAPI document: the schemas of all types. */
const ANY_EVENT = { $ref: '#/components/schemas/Event' };

export const getEvents = endpoint({
  method: 'GET',
  path: '/events',
  summary: "Wait for a queue's next events",
  auth: 'user',
  isHot: true,
  identifiesFirst: true,
  isUncounted: true,
  ownLimitOf: ({ dont_block: dontBlock }) => (dontBlock ? 'polls' : undefined),
  parameters: {
    queue_id: text(opaqueText(MAX_QUEUE_ID_LENGTH).optional().describe('Required.')),
    last_event_id: json(z.int().optional().describe('Required: the newest event that the client has; -1 at first.')),
    dont_block: json(z.boolean().default(false)),
  },
  result: z.strictObject({
    events: z.array(z.looseObject({ id: z.int(), type: z.string().meta({ enum: TYPES }) }).meta(ANY_EVENT)),
    queue_id: z.string(),
  }),
  errors: ['BAD_EVENT_QUEUE_ID'],
  async handler({ eventPods }, request, { queue_id: queueId, last_event_id: lastEventId, dont_block: dontBlock }) {
    // NOTE: only here existing clients expect BAD_REQUEST for a missing parameter.
    if (queueId === undefined) throw new BadRequestError("Missing 'queue_id' argument");
    if (lastEventId === undefined) throw new BadRequestError("Missing 'last_event_id' argument");
    const { realmId, userId, requestId } = request.call;
    // A copy: the parameter is a slice of the whole query, which would be kept while the poll is pending.
    const ownQueueId = Buffer.from(queueId).toString();
    const question = { realmId, userId, queueId: ownQueueId, lastEventId, dontBlock, requestId };
    return forwardedPoll(eventPods, request, question);
  },
});

function forwardedPoll(eventPods: EventPods, request: UserRequest, question: PollQuestion): Deferred<PreparedResult> {
  const events = new Deferred<Uint8Array>((deliver) => {
    const poll = eventPods.hold(question, deliver);
    request.onEnd(() => eventPods.withdraw(poll));
  });
  return events.map((json) => new PreparedResult('events', json, { queue_id: question.queueId }));
}

export const deleteQueue = endpoint({
  method: 'DELETE',
  path: '/events',
  summary: 'Delete an event queue',
  auth: 'user',
  parameters: { queue_id: text(opaqueText(MAX_QUEUE_ID_LENGTH)) },
  result: z.strictObject({}),
  errors: ['BAD_EVENT_QUEUE_ID'],
  async handler({ services }, { call }, { queue_id: queueId }) {
    await services.events.deleteQueue(call, { queueId });
    return {};
  },
});

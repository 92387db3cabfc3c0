import type { AlertWordSince, PersonalFlags } from '../proto';
import type { Audience } from './audience';

/** A domain event, as in the outbox and the log, and as passed to listeners. */
export interface DomainEvent<Kind extends string = string, Payload = unknown> {
  kind: Kind;
  realmId: number;
  payload: Payload;
}

/** The capabilities that a client declared at POST /register; they select the variant of an event. */
export interface ClientView {
  applyMarkdown: boolean;
  clientGravatar: boolean;
  /** Client capability `empty_topic_name`. */
  isEmptyTopicUnderstood: boolean;
  /** Names of the client capabilities that are true. */
  capabilities: readonly string[];
  /** The receiver may not see the actor's name, see PublicShape. Absent: they may. */
  isActorHidden?: boolean;
}

/** A user's queue that an event is delivered to. */
export interface Receiver {
  userId: number;
  queueId: string;
  /** The user's alert words. */
  alertWords: readonly AlertWordSince[];
  /** Whether the receiver has muted that user, so that their messages count as read. */
  hasMuted(senderId: number): boolean;
  /** Whether the receiver had left the event's channel by then, or it was archived: messages sent meanwhile are read. */
  hasLeft?(): boolean;
  /** The receiver's flags on the message that the shape names (`flaggedMessageId`). */
  ownFlags?: OwnFlags;
}

/** A user's own flags on a message, and whether they received it; otherwise it does not mention them. */
export type OwnFlags = PersonalFlags & { isReceived?: boolean };

/** The id of a channel's first message; null: it has none. */
export type FirstMessageOf = (channelId: number) => number | null;

/** Maximum number of public events that one domain event becomes. */
export const MAX_PARTS = 1_000;

/** How a domain event appears in GET /events. */
export interface PublicShape<Payload> {
  /** The `type` by which queues select events. */
  type: string;
  audience(payload: Payload): Audience;
  /** Queues that request this type get it instead of this shape. */
  supersededBy?: string;
  /** Clients for whose view this is false do not get the event; absent: every client gets it. */
  isFor?(payload: Payload, view: ClientView): boolean;
  /**
   * Several public events, one for each of these payloads, which differ in what `render` shows only: receivers are those of the whole. At most
   * MAX_PARTS; an event's id has no room for more. Absent: one public event.
   */
  parts?(payload: Payload): readonly Payload[];
  /** The user whose name the event shows, for guests from whom it is hidden. Null or absent: no name to hide. */
  actorId?(payload: Payload): number | null;
  /** Views with the same result get the same bytes. */
  variant(view: ClientView): string;
  /** The members of the public event beside `id`; serialized once per variant. */
  render(
    payload: Payload,
    view: ClientView,
    firstMessageOf?: FirstMessageOf,
  ): { type: string } & Record<string, unknown>;
  /**
   * The channels whose first messages `render` shows. The events service loads them once, when it first delivers the event. They
   * may be newer than the event: then a later event repeats them.
   */
  begunChannelIds?(payload: Payload): readonly number[];
  /** Delivered even if it happened before the client's initial state was read: parts of that state may be older. */
  isAlwaysSent?: true;
  /**
   * Joins two consecutive events of a client into one; null: they cannot be joined. Absent: never joined. Not
   * for shapes with `personal` members.
   */
  join?(earlier: Payload, later: Payload): Payload | null;
  /**
   * The message whose flags `personal` needs. They are loaded when the event is delivered, for its receivers only, so that the payload
   * stays small; they may be newer than the event.
   */
  flaggedMessageId?(payload: Payload): number;
  /** Members that differ between receivers: called once, and its result for each of possibly thousands. */
  personal?(payload: Payload): (receiver: Receiver) => Record<string, unknown>;
}

export interface EventDeclaration<Kind extends string, Payload> {
  (realmId: number, payload: Payload): DomainEvent<Kind, Payload>;
  readonly kind: Kind;
  /** In the order of delivery; none for events for services only. */
  readonly publicShapes: readonly PublicShape<Payload>[];
}

/** Declares a domain event: its name, payload, audience and public shape. The result creates such events. */
export function declareEvent<Payload>() {
  return <Kind extends string>(
    kind: Kind,
    publicShapes: readonly PublicShape<Payload>[],
  ): EventDeclaration<Kind, Payload> =>
    Object.assign((realmId: number, payload: Payload) => ({ kind, realmId, payload }), { kind, publicShapes });
}

/** An event without lasting meaning: it may be announced without a transaction, and may get lost. */
export interface EphemeralEvent<Kind extends string = string, Payload = unknown> extends DomainEvent<Kind, Payload> {
  isEphemeral: true;
}

export interface EphemeralDeclaration<Kind extends string, Payload> extends EventDeclaration<Kind, Payload> {
  (realmId: number, payload: Payload): EphemeralEvent<Kind, Payload>;
}

/** As declareEvent(), for announceEphemeral(): typing and presence only. */
export function declareEphemeralEvent<Payload>() {
  return <Kind extends string>(
    kind: Kind,
    publicShapes: readonly PublicShape<Payload>[],
  ): EphemeralDeclaration<Kind, Payload> => {
    const declaration = declareEvent<Payload>()(kind, publicShapes);
    const make = (realmId: number, payload: Payload) => ({
      ...declaration(realmId, payload),
      isEphemeral: true as const,
    });
    return Object.assign(make, { kind, publicShapes });
  };
}

import type { AlertWordSince, PersonalFlags } from '../proto';
import type { Audience } from './audience';

/** What has happened, as it travels: in the outbox, in the log, to the listeners. */
export interface DomainEvent<Kind extends string = string, Payload = unknown> {
  kind: Kind;
  realmId: number;
  payload: Payload;
}

/** What a client has said of itself at POST /register; decides which variant of an event it gets. */
export interface ClientView {
  applyMarkdown: boolean;
  clientGravatar: boolean;
  /** Client capability `empty_topic_name`. */
  isEmptyTopicUnderstood: boolean;
  /** Names of the client capabilities that are true. */
  capabilities: readonly string[];
  /** The receiver may not know who acts, see PublicShape. Absent: they may. */
  isActorHidden?: boolean;
}

/** Whoever an event is delivered to. */
export interface Receiver {
  userId: number;
  queueId: string;
  /** What they want to be alerted to. */
  alertWords: readonly AlertWordSince[];
  /** Whether what that user has sent by then counts as read, because they have muted them. */
  hasMuted(senderId: number): boolean;
  /** Whether they had left the event's channel when it came, or it was archived: a message may be on its way meanwhile, and is read then. */
  hasLeft?(): boolean;
  /** What they have set on the message that the shape names (`flaggedMessageId`). */
  ownFlags?: OwnFlags;
}

/** What somebody has set on a message, and whether they have it: without it, nothing in it is addressed to them. */
export type OwnFlags = PersonalFlags & { isReceived?: boolean };

/** The id of a channel's first message; null: it has none. */
export type FirstMessageOf = (channelId: number) => number | null;

/** How a domain event appears in GET /events. */
export interface PublicShape<Payload> {
  /** The `type` that queues select by. */
  type: string;
  audience(payload: Payload): Audience;
  /** Queues that name this type get that instead, and not this shape. */
  supersededBy?: string;
  /** Clients for whose view this is false do not get the event; absent: every client gets it. */
  isFor?(payload: Payload, view: ClientView): boolean;
  /** Whose name the event shows; there are guests from whom it is to be hidden. Null or absent: it shows none that anybody minds. */
  actorId?(payload: Payload): number | null;
  /** Views with the same answer get the same bytes. */
  variant(view: ClientView): string;
  /** The members of the public event beside `id`; serialized once per variant. */
  render(
    payload: Payload,
    view: ClientView,
    firstMessageOf?: FirstMessageOf,
  ): { type: string } & Record<string, unknown>;
  /**
   * The channels whose first messages `render` tells. Who announces the event does not know them: the events service asks for them once,
   * when it first delivers the event. They are the newest, newer than the event maybe: then another event behind it says the same.
   */
  begunChannelIds?(payload: Payload): readonly number[];
  /** Told even if it happened before the state that a client began with was read: parts of that may be older. */
  isToldAnyway?: true;
  /**
   * One event that says what two say which a client would get one right after the other; null when that takes two, as it always
   * does when absent. Not for shapes with `personal` members.
   */
  join?(earlier: Payload, later: Payload): Payload | null;
  /**
   * The message on which the receivers' own flags are to be known for `personal`. They are asked for when an event is delivered, those
   * of its receivers only: how many there are is nothing to the payload. They are the newest, newer than the event maybe.
   */
  flaggedMessageId?(payload: Payload): number;
  /** Members that differ from receiver to receiver: asked for once, and then for each of maybe thousands. */
  personal?(payload: Payload): (receiver: Receiver) => Record<string, unknown>;
}

export interface EventDeclaration<Kind extends string, Payload> {
  (realmId: number, payload: Payload): DomainEvent<Kind, Payload>;
  readonly kind: Kind;
  /** In the order in which a client gets them; none for events that only services listen to. */
  readonly publicShapes: readonly PublicShape<Payload>[];
}

/** Declares a domain event: its name, payload, audience and public shape, in one place. The result makes such events. */
export function declareEvent<Payload>() {
  return <Kind extends string>(
    kind: Kind,
    publicShapes: readonly PublicShape<Payload>[],
  ): EventDeclaration<Kind, Payload> =>
    Object.assign((realmId: number, payload: Payload) => ({ kind, realmId, payload }), { kind, publicShapes });
}

/** What has happened and means nothing a moment later: it may be announced without a transaction, and may get lost. */
export interface EphemeralEvent<Kind extends string = string, Payload = unknown> extends DomainEvent<Kind, Payload> {
  isEphemeral: true;
}

export interface EphemeralDeclaration<Kind extends string, Payload> extends EventDeclaration<Kind, Payload> {
  (realmId: number, payload: Payload): EphemeralEvent<Kind, Payload>;
}

/** As declareEvent(), for what announceEphemeral() takes: typing and presence, and nothing else. */
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

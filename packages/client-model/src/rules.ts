import type { State } from './state';

/** An event as GET /events answers it. */
export type PublicEvent = { id: number; type: string } & Record<string, unknown>;

/** The effect of an event on a client's state. */
export type Rule = (state: State, event: PublicEvent, client: ClientKind) => void;

/** Rules by `type`, or `type/op` for events with an `op`. */
export type Rules = Readonly<Record<string, Rule>>;

/** A client's declared capabilities. */
export interface ClientKind {
  capabilities: ReadonlySet<string>;
  /** Whether it fetches messages while its queue goes on: they may have what later events tell. */
  isAheadWithMessages?: boolean;
}

/** The key of an event's rule. */
export function keyOf({ type, op }: PublicEvent): string {
  return typeof op === 'string' ? `${type}/${op}` : type;
}

import type { PublicEvent } from '../network/event-queue';
import type { State } from './state';

/** What a client does to its state when an event says so. */
export type Rule = (state: State, event: PublicEvent, client: ClientKind) => void;

/** Rules by `type`, or `type/op` for events with an `op`. */
export type Rules = Readonly<Record<string, Rule>>;

/** What a client has said of itself. */
export interface ClientKind {
  capabilities: ReadonlySet<string>;
}

/** Under which an event has its rule. */
export function keyOf({ type, op }: PublicEvent): string {
  return typeof op === 'string' ? `${type}/${op}` : type;
}

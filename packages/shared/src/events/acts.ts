import { declareEvent } from './declare-event';

/** Instead of an organization's id: an act on the whole deployment. */
export const DEPLOYMENT = 0;

/** An act of an administrator, for the audit log. */
export interface ActPerformed {
  /** In lower case, with hyphens. */
  name: string;
  actor: { kind: 'user'; id: number } | { kind: 'operator'; id?: number };
  requestId: string;
  address?: string;
  /** The subjects of the act: one entry each. */
  kind: string;
  ids: readonly number[];
  before?: Readonly<Record<string, unknown>>;
  after?: Readonly<Record<string, unknown>>;
}

/** Announced in the transaction of the act, by services that do not keep the audit log themselves; the realm service records it. */
export const actPerformed = declareEvent<ActPerformed>()('act.performed', []);

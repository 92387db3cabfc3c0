import type { Transaction } from '@parley/shared/db';
import type { Call, Caller, Implementation } from '@parley/shared/rpc';
import type { MadeKind, SubjectKind } from './snapshot.sql';

type Method = keyof Implementation<'realm'>;

export type RequestOf<M extends Method> = Parameters<Implementation<'realm'>[M]>[1];

/** Methods that only tell something; those among them that reveal a secret, or may make one, are acts, too. */
type Reading = Exclude<
  Extract<Method, `get${string}` | `list${string}` | `find${string}` | 'verifyAuditLog'>,
  'getWebhookSecret' | 'getBotApiKey' | 'listOwnBots'
>;

/** Every method about which it must be said whether it is an administrative act. */
export type ActingMethod = Exclude<Method, Reading>;

/** What an act is looked at for, in the organization in which it happens. */
export interface Scene<Request> {
  tx: Transaction;
  realmId: number;
  call: Call | Caller;
  request: Request;
}

type Ids<Request> = (scene: Scene<Request>) => readonly number[] | Promise<readonly number[]>;

/** An administrative act: what is looked at before and after it. */
export interface Act<Request> {
  /** Existing subjects that it may change. */
  changes?: Partial<Record<SubjectKind, Ids<Request>>>;
  /** Subjects that it may make. */
  makes?: readonly MadeKind[];
  /** Recorded though nothing changes: whose secret it reveals, or what is too much to be told one by one. */
  touches?: { kind: SubjectKind; ids: Ids<Request> };
  /** What it is called in the log; absent: as the method is. */
  name?: string;
  /** For the operator's command only. */
  isOperators?: true;
  /** Absent: whatever the request is. */
  concerns?: (request: Request) => boolean;
}

import type { ApiRequest } from '../operations/operation';

/** A request that clients make all the time. */
export interface UsualRequest {
  name: string;
  /** Requests are numbered. */
  request(run: number): ApiRequest;
  /** What any server has to do for it. */
  bare(run: number): BareStatement;
}

/** Its first column is what is answered, JSON already. */
export interface BareStatement {
  database: 'realm' | 'messages';
  text: string;
  values?: unknown[];
}

import type { PollRequest } from '@parley/shared/proto';
import type { Pod } from './pod';

/** A client's wait for events. There are as many as connected clients, so it holds no more than it must. */
export class ForwardedPoll {
  /** The last pod, and when it was asked. */
  pod: Pod | undefined = undefined;
  askedAtMs = 0;
  /** Since when no pod is known to serve it; kept while it is forwarded without success. */
  lostAtMs: number | undefined = undefined;

  constructor(
    readonly request: PollRequest,
    /** Takes the JSON array of events, or a public error. */
    readonly settle: (outcome: Uint8Array | Error) => void,
  ) {}
}

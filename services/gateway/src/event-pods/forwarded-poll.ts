import type { PollRequest } from '@parley/shared/proto';
import type { PollQuestion } from './event-pods';
import type { Pod } from './pod';

/** A client's poll. There are as many as connected clients, so it contains only what is necessary. */
export class ForwardedPoll {
  /** The last pod, and when the poll was forwarded to it. */
  pod: Pod | undefined = undefined;
  askedAtMs = 0;
  /** Since when no pod is known to serve it; kept while forwarding fails. */
  lostAtMs: number | undefined = undefined;

  constructor(
    readonly id: number,
    readonly question: PollQuestion,
    /** Takes the JSON array of events, or a public error. */
    readonly settle: (outcome: Uint8Array | Error) => void,
  ) {}

  /** To be sent to a pod: the question, or its withdrawal. Not kept. */
  request(isWithdrawn = false): PollRequest {
    const { realmId, userId, queueId, lastEventId, dontBlock, requestId } = this.question;
    return { pollId: this.id, isWithdrawn, realmId, userId, queueId, lastEventId, dontBlock, requestId };
  }
}

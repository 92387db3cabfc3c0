import type { PollRequest } from '@parley/shared/proto';
import type { Pod } from './pod';

/** A client's wait for events. There are as many as connected clients, so it holds no more than it must. */
export class HeldPoll {
  /** The JSON array of events, or a public error. */
  readonly events: Promise<Uint8Array>;
  /** Who was asked last, and when. */
  pod: Pod | undefined;
  askedAtMs = 0;
  /** Since when nobody is known who would serve it; kept while it is handed around without success. */
  lostAtMs: number | undefined;
  settle!: (events: Uint8Array) => void;
  fail!: (error: Error) => void;

  constructor(readonly request: PollRequest) {
    this.events = new Promise((resolve, reject) => {
      this.settle = resolve;
      this.fail = reject;
    });
  }
}

import { encodeError, type PublicError } from '@parley/shared/errors';
import type { PollReply } from '@parley/shared/proto';
import type { Queue } from './queue';

const NOTHING = Buffer.alloc(0);

/** Where the replies of one gateway's polls go. */
export interface ReplySink {
  /** Ends the poll with this id. */
  write(reply: PollReply): void;
  forget(pollId: number): void;
}

/** A client's poll, from its arrival until its one reply, or until the client has hung up. Thousands are held: it is small. */
export class HeldPoll {
  isOver = false;
  queue: Queue | undefined;
  /** Everything up to here the client has got, or need not get. */
  cursor = -1;
  /** Set while parked. */
  unpark: (() => void) | undefined;

  constructor(
    private readonly pollId: number,
    private readonly sink: ReplySink,
  ) {}

  answer(eventsJson: Buffer): void {
    if (this.end()) this.sink.write({ pollId: this.pollId, eventsJson, error: NOTHING });
  }

  refuse(error: PublicError): void {
    if (this.end()) this.sink.write({ pollId: this.pollId, eventsJson: NOTHING, error: encodeError(error) });
  }

  /** Lets go of everything that refers to the poll. False when it had ended before. */
  end(): boolean {
    if (this.isOver) return false;
    this.isOver = true;
    this.unpark?.();
    if (this.queue?.poll === this) this.queue.poll = undefined;
    this.sink.forget(this.pollId);
    return true;
  }
}

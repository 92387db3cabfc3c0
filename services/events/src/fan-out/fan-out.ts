import { BadEventQueueIdError } from '@parley/shared/errors';
import type { Logger } from '@parley/shared/service';
import type { LogWindow } from '../log/log-window';
import type { WindowRecord } from '../log/window-record';
import { NO_EVENTS } from '../queues/poll-answer';
import { ParkedPolls } from './parked-polls';

type Deliver = (parked: ParkedPolls, record: WindowRecord) => Promise<void>;

/** Polls that end with a record: those of a user, or all. */
interface Ending {
  seq: number;
  userId: number | undefined;
}

/** One organization's delivery to its parked polls: in the log's order, waiting for its own facts only. */
class RealmFanOut {
  readonly parked = new ParkedPolls();
  readonly #undelivered: WindowRecord[] = [];
  /** In the order of their records. */
  #endings: Ending[] = [];
  #isRunning = false;
  #run = Promise.resolve();

  constructor(private readonly options: FanOutOptions) {}

  take(record: WindowRecord): void {
    const [, next] = this.#undelivered;
    if (next && !this.options.window.holds(next)) this.#sendAway();
    // No parked polls: the next poll finds the record in the window.
    if (this.parked.userCount === 0) {
      this.#forgetWaiting();
      return;
    }
    this.#undelivered.push(record);
    if (!this.#isRunning) this.#run = this.#deliverAll();
  }

  endAfter(ending: Ending): void {
    this.#endings.push(ending);
  }

  get firstUndelivered(): WindowRecord | undefined {
    return this.#undelivered[0];
  }

  idle(): Promise<void> {
    return this.#run;
  }

  /**
   * The backlog is limited by the window, however long facts take to load: parked polls beyond it are answered, and poll again.
   */
  #sendAway(): void {
    for (const poll of [...this.parked.all()]) poll.answer(NO_EVENTS);
  }

  /** All except the record that is being delivered. */
  #forgetWaiting(): void {
    this.#undelivered.splice(1);
    this.#endings = [];
  }

  async #deliverAll(): Promise<void> {
    this.#isRunning = true;
    for (let record = this.#undelivered[0]; record; record = this.#undelivered[0]) {
      try {
        await this.options.deliver(this.parked, record);
      } catch (error) {
        this.options.log.error(
          { err: error, seq: record.seq, kind: record.kind },
          'record not delivered to waiting clients',
        );
      }
      this.#endAll(record.seq);
      this.#undelivered.shift();
    }
    this.#isRunning = false;
  }

  #endAll(seq: number): void {
    for (let next = this.#endings[0]; next && next.seq <= seq; next = this.#endings[0]) {
      this.#endings.shift();
      const polls = next.userId === undefined ? this.parked.all() : this.parked.of(next.userId);
      for (const poll of [...polls]) poll.answer(NO_EVENTS);
    }
  }
}

interface FanOutOptions {
  window: LogWindow;
  deliver: Deliver;
  log: Logger;
}

/** Wakes parked polls. An organization that has to wait for facts does not delay others. */
export class FanOut {
  #realms = new Map<number, RealmFanOut>();

  constructor(private readonly options: FanOutOptions) {}

  parkedIn(realmId: number): ParkedPolls {
    return this.#realm(realmId).parked;
  }

  take(record: WindowRecord): void {
    this.#realms.get(record.realmId)?.take(record);
  }

  /** Ends the polls of a user, or of all users, that still wait when the next record `seq` is delivered. */
  endAfter(seq: number, realmId: number, userId?: number): void {
    this.#realms.get(realmId)?.endAfter({ seq, userId });
  }

  /** The last record whose events were delivered to an organization's waiting clients. */
  deliveredSeq(realmId: number): number {
    const waiting = this.#realms.get(realmId)?.firstUndelivered;
    return waiting ? waiting.seq - 1 : this.options.window.head;
  }

  /** Resolves when everything taken so far has been delivered. */
  async idle(): Promise<void> {
    await Promise.all([...this.#realms.values()].map((realm) => realm.idle()));
  }

  /** To be called when the log broke: parked polls cannot be served without a gap. */
  refuseAll(): void {
    const realms = this.#realms;
    this.#realms = new Map();
    for (const { parked } of realms.values())
      for (const poll of [...parked.all()]) poll.refuse(new BadEventQueueIdError(poll.queue?.descriptor.queueId ?? ''));
  }

  #realm(realmId: number): RealmFanOut {
    let realm = this.#realms.get(realmId);
    if (realm === undefined) {
      realm = new RealmFanOut(this.options);
      this.#realms.set(realmId, realm);
    }
    return realm;
  }
}

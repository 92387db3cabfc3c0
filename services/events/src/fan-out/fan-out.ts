import { BadEventQueueIdError } from '@parley/shared/errors';
import type { Logger } from '@parley/shared/service';
import type { HeldRecord } from '../log/log-record';
import type { LogWindow } from '../log/log-window';
import { ParkedPolls } from './parked-polls';

type Deliver = (parked: ParkedPolls, record: HeldRecord) => Promise<void>;

/** One organization's way from the log to its parked polls: in the log's order, waiting on its own only. */
class RealmFanOut {
  readonly parked = new ParkedPolls();
  readonly #undelivered: HeldRecord[] = [];
  #isRunning = false;
  #run = Promise.resolve();

  constructor(
    private readonly deliver: Deliver,
    private readonly log: Logger,
  ) {}

  take(record: HeldRecord): void {
    // Nobody waits: whoever polls next finds the record in the window.
    if (this.parked.userCount === 0 && !this.#isRunning) return;
    this.#undelivered.push(record);
    if (!this.#isRunning) this.#run = this.#deliverAll();
  }

  get firstUndelivered(): HeldRecord | undefined {
    return this.#undelivered[0];
  }

  idle(): Promise<void> {
    return this.#run;
  }

  async #deliverAll(): Promise<void> {
    this.#isRunning = true;
    for (let record = this.#undelivered[0]; record; record = this.#undelivered[0]) {
      try {
        await this.deliver(this.parked, record);
      } catch (error) {
        this.log.error({ err: error, seq: record.seq, kind: record.kind }, 'record not delivered to waiting clients');
      }
      this.#undelivered.shift();
    }
    this.#isRunning = false;
  }
}

export interface FanOutOptions {
  window: LogWindow;
  deliver: Deliver;
  log: Logger;
}

/** Wakes parked polls. An organization that has to wait for its facts does not hold up the others. */
export class FanOut {
  #realms = new Map<number, RealmFanOut>();

  constructor(private readonly options: FanOutOptions) {}

  parkedIn(realmId: number): ParkedPolls {
    return this.#realm(realmId).parked;
  }

  take(record: HeldRecord): void {
    this.#realms.get(record.realmId)?.take(record);
  }

  /** The last record whose events an organization's waiting clients have got, if they get any of it. */
  deliveredSeq(realmId: number): number {
    const waiting = this.#realms.get(realmId)?.firstUndelivered;
    return waiting ? waiting.seq - 1 : this.options.window.head;
  }

  /** Everything taken so far has been delivered. */
  async idle(): Promise<void> {
    await Promise.all([...this.#realms.values()].map((realm) => realm.idle()));
  }

  /** The log broke: nobody who waits can be served without a gap. */
  refuseAll(): void {
    const realms = this.#realms;
    this.#realms = new Map();
    for (const { parked } of realms.values())
      for (const poll of [...parked.all()]) poll.refuse(new BadEventQueueIdError(poll.queue?.descriptor.queueId ?? ''));
  }

  #realm(realmId: number): RealmFanOut {
    let realm = this.#realms.get(realmId);
    if (realm === undefined) {
      realm = new RealmFanOut(this.options.deliver, this.options.log);
      this.#realms.set(realmId, realm);
    }
    return realm;
  }
}

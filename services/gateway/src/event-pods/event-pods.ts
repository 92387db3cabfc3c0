import { decodeError, ServiceUnavailableError } from '@parley/shared/errors';
import type { PollRequest, SharedPollReply } from '@parley/shared/proto';
import type { TlsFiles } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import type { Clock } from '@parley/shared/values';
import { choosePod } from './choose-pod';
import { ForwardedPoll } from './forwarded-poll';
import { Pod } from './pod';
import { resolveAddresses } from './resolve-addresses';

export type PollQuestion = Omit<PollRequest, 'pollId' | 'isWithdrawn'>;

export const GIVE_UP_MS = 10_000;
const RETRY_MS = 250;
const RESOLVE_EVERY_MS = 10_000;
/** Interval of lookups while a pod is missing: its successor may have another address. */
const RESOLVE_SOON_MS = 1_000;
/** A poll that was parked for longer than this had found a pod: losing it starts a new search. */
const SETTLED_MS = 1_000;
const NO_EVENTS = Buffer.from('[]');

export interface EventPodsOptions {
  addresses: string;
  tls?: TlsFiles | undefined;
  clock: Clock;
  log: Logger;
}

/** The events pods as GET /events sees them. */
export class EventPods {
  readonly #options: EventPodsOptions;
  readonly #pods = new Map<string, Pod>();
  readonly #polls = new Map<number, ForwardedPoll>();
  /** Number of polls without a pod. */
  readonly #lost = new Set<ForwardedPoll>();
  #connected: Pod[] = [];
  #lastPollId = 0;
  #isStopped = false;
  #cancelRefresh = () => {};
  #cancelRetry: (() => void) | undefined;

  constructor(options: EventPodsOptions) {
    this.#options = options;
  }

  start(): Promise<void> {
    return this.#refreshPods();
  }

  /**
   * Forwards a poll to a pod. If the pod is lost, the poll goes to another one with the same cursor, so no event is repeated or
   * lost; it fails with ServiceUnavailableError if no pod accepts it for GIVE_UP_MS. `settle` gets the JSON array of events, or a
   * public error, once.
   */
  hold(question: PollQuestion, settle: ForwardedPoll['settle']): ForwardedPoll {
    this.#lastPollId += 1;
    const poll = new ForwardedPoll(this.#lastPollId, question, settle);
    if (this.#isStopped) {
      poll.settle(NO_EVENTS);
      return poll;
    }
    this.#polls.set(poll.id, poll);
    this.#ask(poll);
    return poll;
  }

  /** To be called when the client has hung up. */
  withdraw(poll: ForwardedPoll): void {
    if (!this.#polls.has(poll.id)) return;
    poll.pod?.send(poll.request(true));
    this.#forget(poll).settle(NO_EVENTS);
  }

  /** Answers all pending polls with no events, so that their clients poll at another gateway. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelRefresh();
    this.#cancelRetry?.();
    for (const poll of this.#polls.values()) this.#forget(poll).settle(NO_EVENTS);
    for (const pod of this.#pods.values()) pod.close();
  }

  async #refreshPods(): Promise<void> {
    const addresses = await resolveAddresses(this.#options.addresses);
    if (this.#isStopped) return;
    if (addresses) this.#syncPods(new Set(addresses));
    const isWhole = addresses !== null && this.#connected.length === this.#pods.size;
    this.#refreshAfter(isWhole ? RESOLVE_EVERY_MS : RESOLVE_SOON_MS);
  }

  #refreshAfter(delayMs: number): void {
    this.#cancelRefresh();
    this.#cancelRefresh = this.#options.clock.after(delayMs, () => void this.#refreshPods());
  }

  #syncPods(addresses: Set<string>): void {
    for (const [address, pod] of this.#pods) {
      if (addresses.has(address)) continue;
      this.#pods.delete(address);
      pod.retire();
    }
    for (const address of addresses) {
      if (!this.#pods.has(address)) this.#pods.set(address, this.#connect(address));
    }
    this.#noteConnected();
  }

  #connect(address: string): Pod {
    const { tls, log } = this.#options;
    return new Pod({
      address,
      tls,
      log,
      onConnected: () => {
        this.#noteConnected();
        this.#askForLost();
      },
      onReply: (reply) => this.#takeReply(reply),
      onLost: (pod) => this.#losePod(pod),
    });
  }

  #noteConnected(): void {
    this.#connected = [...this.#pods.values()].filter((pod) => pod.isConnected);
  }

  #losePod(pod: Pod): void {
    this.#noteConnected();
    this.#refreshAfter(RESOLVE_SOON_MS);
    const settledBefore = this.#options.clock.now() - SETTLED_MS;
    for (const poll of this.#polls.values()) {
      if (poll.pod !== pod) continue;
      if (poll.askedAtMs < settledBefore) poll.lostAtMs = undefined;
      this.#lose(poll);
    }
    this.#askForLost();
  }

  #takeReply({ pollIds, eventsJson, error }: SharedPollReply): void {
    const refusal = error.length > 0 ? decodeError(error) : undefined;
    for (const pollId of pollIds) {
      const poll = this.#polls.get(pollId);
      if (!poll) continue;
      if (refusal instanceof ServiceUnavailableError) this.#lose(poll);
      else this.#forget(poll).settle(refusal ?? eventsJson);
    }
  }

  #ask(poll: ForwardedPoll): void {
    poll.pod = choosePod(this.#connected, poll.question.queueId);
    poll.askedAtMs = this.#options.clock.now();
    if (poll.pod) poll.pod.send(poll.request());
    else this.#lose(poll);
  }

  #lose(poll: ForwardedPoll): void {
    const { clock } = this.#options;
    poll.lostAtMs ??= clock.now();
    poll.pod = undefined;
    this.#lost.add(poll);
    this.#cancelRetry ??= clock.after(RETRY_MS, () => this.#retry());
  }

  #retry(): void {
    this.#cancelRetry = undefined;
    const tooOld = this.#options.clock.now() - GIVE_UP_MS;
    for (const poll of this.#lost) {
      if ((poll.lostAtMs as number) <= tooOld) this.#forget(poll).settle(new ServiceUnavailableError());
    }
    this.#askForLost();
  }

  #askForLost(): void {
    const waiting = [...this.#lost];
    this.#lost.clear();
    for (const poll of waiting) this.#ask(poll);
  }

  #forget(poll: ForwardedPoll): ForwardedPoll {
    this.#polls.delete(poll.id);
    this.#lost.delete(poll);
    return poll;
  }
}

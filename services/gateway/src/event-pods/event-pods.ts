import { decodeError, ServiceUnavailableError } from '@parley/shared/errors';
import type { PollReply, PollRequest } from '@parley/shared/proto';
import type { TlsFiles } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import type { Clock } from '@parley/shared/values';
import { choosePod } from './choose-pod';
import { HeldPoll } from './held-poll';
import { createPod, type Pod } from './pod';
import { resolveAddresses } from './resolve-addresses';

export type PollQuestion = Omit<PollRequest, 'pollId' | 'isWithdrawn'>;

/** The events pods as GET /events sees them: someone who answers polls. */
export interface EventPods {
  start(): Promise<void>;
  /**
   * Asks a pod for a queue's events. A poll whose pod goes away is asked again elsewhere with the same cursor, which
   * repeats and loses nothing; it fails with ServiceUnavailableError when nobody takes it for GIVE_UP_MS. `settle` gets
   * the JSON array of events, or a public error, once.
   */
  hold(question: PollQuestion, settle: HeldPoll['settle']): HeldPoll;
  /** The client has hung up. */
  withdraw(poll: HeldPoll): void;
  /** Answers all held polls with no events, so that their clients ask again elsewhere. */
  stop(): void;
}

export const GIVE_UP_MS = 10_000;
const RETRY_MS = 250;
const RESOLVE_EVERY_MS = 10_000;
/** While a pod is missing: its successor may have another address. */
const RESOLVE_SOON_MS = 1_000;
/** A poll held for longer than this was in good hands: its next loss is a new one. */
const SETTLED_MS = 1_000;
const NO_EVENTS = Buffer.from('[]');

export interface EventPodsOptions {
  addresses: string;
  tls?: TlsFiles | undefined;
  clock: Clock;
  log: Logger;
}

export function createEventPods(options: EventPodsOptions): EventPods {
  const { clock, log, tls } = options;
  const pods = new Map<string, Pod>();
  const polls = new Map<number, HeldPoll>();
  const lost = new Set<HeldPoll>();
  let connected: Pod[] = [];
  let lastPollId = 0;
  let isStopped = false;
  let cancelRefresh = () => {};
  let cancelRetry: (() => void) | undefined;

  async function refreshPods(): Promise<void> {
    const addresses = await resolveAddresses(options.addresses);
    if (isStopped) return;
    if (addresses) syncPods(new Set(addresses));
    const isWhole = addresses !== null && connected.length === pods.size;
    refreshAfter(isWhole ? RESOLVE_EVERY_MS : RESOLVE_SOON_MS);
  }

  function refreshAfter(delayMs: number): void {
    cancelRefresh();
    cancelRefresh = clock.after(delayMs, () => void refreshPods());
  }

  function syncPods(addresses: Set<string>): void {
    for (const [address, pod] of pods) {
      if (addresses.has(address)) continue;
      pods.delete(address);
      pod.retire();
    }
    for (const address of addresses) {
      if (!pods.has(address)) pods.set(address, createPod({ address, tls, log, onConnected, onReply, onLost }));
    }
    noteConnected();
  }

  function noteConnected(): void {
    connected = [...pods.values()].filter((pod) => pod.isConnected);
  }

  function onConnected(): void {
    noteConnected();
    askForLost();
  }

  function onLost(pod: Pod): void {
    noteConnected();
    refreshAfter(RESOLVE_SOON_MS);
    const settledBefore = clock.now() - SETTLED_MS;
    for (const poll of polls.values()) {
      if (poll.pod !== pod) continue;
      if (poll.askedAtMs < settledBefore) poll.lostAtMs = undefined;
      lose(poll);
    }
    askForLost();
  }

  function onReply({ pollId, eventsJson, error }: PollReply): void {
    const poll = polls.get(pollId);
    if (!poll) return;
    const refusal = error.length > 0 ? decodeError(error) : undefined;
    if (refusal instanceof ServiceUnavailableError) lose(poll);
    else forget(poll).settle(refusal ?? eventsJson);
  }

  function ask(poll: HeldPoll): void {
    poll.pod = choosePod(connected, poll.request.queueId);
    poll.askedAtMs = clock.now();
    if (poll.pod) poll.pod.send(poll.request);
    else lose(poll);
  }

  function lose(poll: HeldPoll): void {
    poll.lostAtMs ??= clock.now();
    poll.pod = undefined;
    lost.add(poll);
    cancelRetry ??= clock.after(RETRY_MS, retry);
  }

  function retry(): void {
    cancelRetry = undefined;
    const tooOld = clock.now() - GIVE_UP_MS;
    for (const poll of lost) {
      if ((poll.lostAtMs as number) <= tooOld) forget(poll).settle(new ServiceUnavailableError());
    }
    askForLost();
  }

  function askForLost(): void {
    const waiting = [...lost];
    lost.clear();
    waiting.forEach(ask);
  }

  function forget(poll: HeldPoll): HeldPoll {
    polls.delete(poll.request.pollId);
    lost.delete(poll);
    return poll;
  }

  return {
    start: refreshPods,
    hold({ realmId, userId, queueId, lastEventId, dontBlock, requestId }, settle) {
      lastPollId += 1;
      const pollId = lastPollId;
      // Not spread: V8 would make a hidden class for every poll.
      const request = { pollId, isWithdrawn: false, realmId, userId, queueId, lastEventId, dontBlock, requestId };
      const poll = new HeldPoll(request, settle);
      if (isStopped) {
        poll.settle(NO_EVENTS);
        return poll;
      }
      polls.set(pollId, poll);
      ask(poll);
      return poll;
    },
    withdraw(poll) {
      if (!polls.has(poll.request.pollId)) return;
      poll.pod?.send({ ...poll.request, isWithdrawn: true });
      forget(poll).settle(NO_EVENTS);
    },
    stop() {
      isStopped = true;
      cancelRefresh();
      cancelRetry?.();
      for (const poll of polls.values()) forget(poll).settle(NO_EVENTS);
      for (const pod of pods.values()) pod.close();
    },
  };
}

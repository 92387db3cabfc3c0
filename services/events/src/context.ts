import type { Bus } from '@parley/shared/bus';
import type { RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import type { Clock } from '@parley/shared/values';
import type { Subscribers } from './audience/subscribers';
import type { Counters } from './base/counters';
import type { Config } from './config';
import type { Departures } from './fan-out/departures';
import type { FanOut } from './fan-out/fan-out';
import type { EventLog } from './log/event-log';
import type { LogWindow } from './log/log-window';
import type { Attentions } from './personal/attentions';
import type { FirstMessages } from './personal/first-messages';
import type { OwnFlags } from './personal/own-flags';
import type { DeliveryPauses } from './queues/delivery-pauses';
import type { EndedQueues } from './queues/ended-queues';
import type { OpenQueues } from './queues/open-queues';
import type { PollClaims } from './queues/poll-claims';

/** The dependencies of actions. */
export interface Context {
  config: Config;
  bus: Bus;
  realm: RpcClient<'realm'>;
  messages: RpcClient<'messages'>;
  clock: Clock;
  /** 0 ≤ random() < 1. */
  random: () => number;
  log: Logger;
  stopping: AbortSignal;
  window: LogWindow;
  eventLog: EventLog;
  subscribers: Subscribers;
  departures: Departures;
  attentions: Attentions;
  ownFlags: OwnFlags;
  firstMessages: FirstMessages;
  queues: OpenQueues;
  pollClaims: PollClaims;
  pauses: DeliveryPauses;
  endedQueues: EndedQueues;
  fanOut: FanOut;
  counters: Counters;
}

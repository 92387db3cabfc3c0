import { setMaxListeners } from 'node:events';
import { type Bus, connectBus, handleSpan } from '@parley/shared/bus';
import { needsNats, watchDependencies } from '@parley/shared/health';
import { serveInspection } from '@parley/shared/inspection';
import { inTracesOf } from '@parley/shared/observability';
import { confirmWith, connectRpc, serve } from '@parley/shared/rpc';
import {
  busOptionsOf,
  createLogger,
  inspectedService,
  type Logger,
  type Service,
  tlsFilesOf,
} from '@parley/shared/service';
import { type Clock, systemClock } from '@parley/shared/values';
import { Subscribers } from './audience/subscribers';
import type { Counters } from './base/counters';
import type { Config } from './config';
import type { Context } from './context';
import { deliver } from './fan-out/deliver';
import { Departures } from './fan-out/departures';
import { FanOut } from './fan-out/fan-out';
import { listen } from './listeners';
import { EventLog } from './log/event-log';
import { LogWindow } from './log/log-window';
import type { WindowRecord } from './log/window-record';
import { measure } from './measure';
import { Attentions } from './personal/attentions';
import { FirstMessages } from './personal/first-messages';
import { OwnFlags } from './personal/own-flags';
import { DeliveryPauses } from './queues/delivery-pauses';
import { EndedQueues } from './queues/ended-queues';
import { OpenQueues } from './queues/open-queues';
import { PollClaims } from './queues/poll-claims';
import { QueueStore } from './queues/queue-store';
import { followRemovals, sweepQueuesPeriodically } from './queues/sweep-queues';
import { CONFIRMED_WITHIN, implementation } from './rpc';

/** Outside effects that tests replace. */
export interface Overrides {
  clock?: Clock;
  log?: Logger;
  random?: () => number;
  /** See SubscribersOptions. */
  maxSubscriptions?: number | undefined;
  /** See DeliveryPauses. */
  pauseClock?: Clock | undefined;
}

export interface EventsService extends Service {
  readonly counters: Readonly<Counters>;
  /** Resolves when everything that is in the log now has been delivered to waiting clients. */
  caughtUp(): Promise<void>;
}

type Effects = Pick<
  Context,
  'config' | 'bus' | 'realm' | 'messages' | 'clock' | 'random' | 'log' | 'counters' | 'stopping'
> &
  Pick<Overrides, 'maxSubscriptions' | 'pauseClock'>;

/** An events service that is not started yet; used by main.ts and by dev-env. */
export function create(config: Config, overrides: Overrides = {}): EventsService {
  return new Process(config, overrides);
}

class Process implements EventsService {
  readonly counters: Counters = { parkedPolls: 0, serializations: 0 };
  readonly #log: Logger;
  readonly #stops: (() => unknown)[] = [];
  #address: string;
  #ctx: Context | undefined;

  constructor(
    private readonly config: Config,
    private readonly overrides: Overrides,
  ) {
    this.#log = overrides.log ?? createLogger('events', config.LOG_LEVEL);
    this.#address = config.LISTEN;
  }

  get address(): string {
    return this.#address;
  }

  async start(): Promise<void> {
    const bus = await connectBus({ ...busOptionsOf(this.config), name: 'events', log: this.#log });
    this.#stops.push(() => bus.close());
    const stopping = newStopping();
    this.#ctx = run(this.#connect(bus, stopping.signal), this.#stops);
    await this.#serve(this.#ctx);
    // The polls' streams end first, otherwise the server would wait for them.
    this.#stops.push(() => stopping.abort());
  }

  #connect(bus: Bus, stopping: AbortSignal): Effects {
    const { config, counters } = this;
    const tls = tlsFilesOf(config);
    const realm = connectRpc('realm', config.REALM_ADDRESS, tls);
    const messages = connectRpc('messages', config.MESSAGES_ADDRESS, tls);
    this.#stops.push(realm.close, messages.close);
    const effects = { clock: systemClock, random: Math.random, ...this.overrides, log: this.#log };
    return { config, bus, realm: realm.client, messages: messages.client, ...effects, counters, stopping };
  }

  async #serve(ctx: Context): Promise<void> {
    const { config, bus } = ctx;
    const dependencies = watchDependencies('events', [needsNats(bus)], this.#log);
    this.#stops.push(dependencies.stop);
    const server = await serve({
      service: 'events',
      implementation: implementation(ctx),
      confirmation: confirmWith(ctx.realm, CONFIRMED_WITHIN),
      address: config.LISTEN,
      healthAddress: config.HEALTH_LISTEN,
      alsoServe: (to) => serveInspection(to, inspectedService({ name: 'events', config, bus })),
      dependencies,
      tls: tlsFilesOf(config),
      log: this.#log,
    });
    this.#address = server.address;
    this.#stops.push(() => server.stop());
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0).reverse()) await stop();
  }

  async caughtUp(): Promise<void> {
    await this.#ctx?.eventLog.catchUp();
    await this.#ctx?.fanOut.idle();
    await this.#ctx?.pauses.idle();
  }
}

function newStopping(): AbortController {
  const stopping = new AbortController();
  // Every gateway's stream listens to it.
  setMaxListeners(0, stopping.signal);
  return stopping;
}

/** Starts the background work: reading the log, cleaning the store of queues. */
function run(effects: Effects, stops: (() => unknown)[]): Context {
  const store = new QueueStore(effects.bus);
  const ctx = wire(effects, store);
  ctx.eventLog.start();
  stops.push(() => ctx.eventLog.stop());
  stops.push(followRemovals(ctx, store));
  ctx.pollClaims.follow((queueId) => ctx.queues.release(queueId));
  stops.push(sweepQueuesPeriodically(ctx, store));
  stops.push(measure(ctx));
  return ctx;
}

function wire(effects: Effects, store: QueueStore): Context {
  const { config, bus, realm, messages, clock, log, stopping } = effects;
  const windowBytes = config.LOG_WINDOW_BYTES;
  const window = new LogWindow(windowBytes);
  const subscribers = new Subscribers({ realm, log, stopping, maxSubscriptions: effects.maxSubscriptions });
  const departures = new Departures();
  const attentions = new Attentions({ realm, log, stopping });
  const ownFlags = new OwnFlags({ messages, log, stopping });
  const firstMessages = new FirstMessages({ messages, log, stopping });
  const queues = new OpenQueues({ store, clock, log });
  const pollClaims = new PollClaims(bus);
  const pauses = new DeliveryPauses({ longestMs: config.DELIVERY_PAUSE_MS, clock: effects.pauseClock });
  const endedQueues = new EndedQueues(clock);
  const fanOut = new FanOut({
    window,
    log,
    deliver: (parked, record) =>
      inTracesOf(record.traces, handleSpan('deliver', record.kind), () => deliver(ctx, parked, record)),
  });
  const onRecord = (record: WindowRecord) => {
    listen(ctx, record);
    fanOut.take(record);
  };
  const onBreak = () => {
    fanOut.refuseAll();
    departures.forgetAll();
    attentions.forgetAll();
    ownFlags.forgetAll();
    queues.forgetAttentions();
    // The broker may have lost the queues together with the log.
    store.forgetRevisions();
  };
  const eventLog = new EventLog({ bus, window, windowBytes, log, stopping, onRecord, onBreak });
  const facts = { subscribers, departures, attentions, ownFlags, firstMessages };
  const ctx: Context = { ...effects, ...facts, window, eventLog, queues, pollClaims, pauses, endedQueues, fanOut };
  return ctx;
}

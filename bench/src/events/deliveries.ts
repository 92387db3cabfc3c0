import { setTimeout as sleep } from 'node:timers/promises';
import { type Quantiles, quantiles } from '../base/measure';
import { type Clients, monotonicNowMs } from './clients';
import type { GatewayApi } from './gateway-api';

/** The pause after a delivery: all clients poll again by then. */
const PAUSE_MS = 20;
const PAUSE_PER_CLIENT_MS = 0.05;

export interface Deliveries {
  /** Until the send was answered. */
  answered: Quantiles;
  /** From the begin of the send until the last receiver had it. */
  last: Quantiles;
}

/** Sends messages, each once all clients poll again; `receivers` of them get it. */
export async function measureDeliveries(
  api: GatewayApi,
  clients: Clients,
  { channel, receivers, sends }: { channel: string; receivers: number; sends: number },
): Promise<Deliveries> {
  const answeredMs: number[] = [];
  const lastMs: number[] = [];
  for (let round = 0; round < sends; round += 1) {
    await settle(clients);
    const received = clients.untilReceived(receivers);
    const begun = monotonicNowMs();
    await api.send(channel);
    answeredMs.push(monotonicNowMs() - begun);
    lastMs.push((await received) - begun);
  }
  return { answered: quantiles(answeredMs), last: quantiles(lastMs) };
}

/** Messages that reach clients a second, when the next is sent as soon as one is answered. */
export async function measureRate(
  api: GatewayApi,
  clients: Clients,
  { channel, receivers, sends }: { channel: string; receivers: number; sends: number },
): Promise<number> {
  await settle(clients);
  const received = clients.untilReceived(receivers * sends);
  const begun = monotonicNowMs();
  for (let round = 0; round < sends; round += 1) await api.send(channel);
  return (receivers * sends) / (((await received) - begun) / 1000);
}

/** Waits until all clients poll again. */
export function settle(clients: Clients): Promise<void> {
  return sleep(PAUSE_MS + clients.count * PAUSE_PER_CLIENT_MS);
}

import { setTimeout as sleep } from 'node:timers/promises';
import { type Quantiles, quantiles } from '../base/measure';
import { type Clients, monotonicNowMs } from './clients';
import type { GatewayApi } from './gateway-api';

/** The pause after a delivery, within which all clients poll again. */
const PAUSE_MS = 20;
const PAUSE_PER_CLIENT_MS = 0.05;

export interface Deliveries {
  /** Until the send was answered. */
  answered: Quantiles;
  /** From the start of the send until the last receiver had the message. */
  last: Quantiles;
}

/** Sends messages, each after all clients have polled again; `receivers` of them get it. */
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

/** Messages delivered to clients per second, when each send starts after the previous answer. */
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

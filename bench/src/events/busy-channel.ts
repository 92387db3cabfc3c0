import { setTimeout as sleep } from 'node:timers/promises';
import { ms, print } from '../base/command';
import { type ClientAnswer, Clients, monotonicNowMs } from './clients';
import { settle } from './deliveries';
import type { GatewayApi } from './gateway-api';
import type { Beside, Organization } from './organization';

/** A send to all clients each so often. */
const EVERY_MS = 25;
const SENDS = 400;
const WARM_UP_SENDS = 80;
/** Measured in turns, since what else the machine does changes. */
const ROUNDS = 3;

interface Busy {
  organization: Organization;
  api: GatewayApi;
  channel: string;
  receivers: number;
}

/** What it costs to deliver the messages of a busy channel, with pauses between the answers to a client and without them. */
export async function compareBusyChannel(busy: Busy): Promise<void> {
  // Both beside the gateway that takes the sends.
  const unpaused = await busy.organization.beside({ DELIVERY_PAUSE_MS: '0' });
  const paused = await busy.organization.beside({ DELIVERY_PAUSE_MS: '50' });
  print(`${busy.receivers} clients of a channel with ${1_000 / EVERY_MS} messages a second`);
  for (let round = 0; round < ROUNDS; round += 1) {
    await printBusy('without pauses', unpaused, busy);
    await printBusy('with pauses', paused, busy);
  }
  await unpaused.stop();
  await paused.stop();
}

async function printBusy(name: string, { address, cpuMs }: Beside, busy: Busy): Promise<void> {
  const { organization, api, receivers } = busy;
  const clients = await Clients.start(address);
  await clients.connect(await api.register(organization.people.slice(0, receivers)));
  await settle(clients);
  await sendSteadily(busy, clients, WARM_UP_SENDS);
  const cpuMsBefore = cpuMs();
  const { answers, delays } = await sendSteadily(busy, clients, SENDS);
  const deliveries = receivers * SENDS;
  const micros = ((cpuMs() - cpuMsBefore) * 1_000) / deliveries;
  await clients.stop();
  print(
    `  ${name.padEnd(16)} p50 ${ms(delays.p50Ms)}  p99 ${ms(delays.p99Ms)}  ${(deliveries / answers).toFixed(2)} messages in an answer  ` +
      `gateway and events ${micros.toFixed(0)} µs of processor time for a delivery`,
    '',
  );
}

/** Sends start on time, whether the last one was answered or not. */
async function sendSteadily({ api, channel, receivers }: Busy, clients: Clients, sends: number): Promise<ClientAnswer> {
  const received = clients.received(receivers * sends);
  const begunAtMs = monotonicNowMs();
  const sending: Promise<void>[] = [];
  for (let count = 0; count < sends; count += 1) {
    await sleep(Math.max(0, begunAtMs + count * EVERY_MS - monotonicNowMs()));
    sending.push(api.send(channel, `sent at ${monotonicNowMs().toFixed(2)}`));
  }
  await Promise.all(sending);
  return received;
}

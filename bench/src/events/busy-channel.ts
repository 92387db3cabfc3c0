import { setTimeout as sleep } from 'node:timers/promises';
import { ms, print } from '../base/command';
import { type ClientAnswer, Clients, monotonicNowMs } from './clients';
import { settle } from './deliveries';
import type { GatewayApi } from './gateway-api';
import type { ExtraEvents, Organization } from './organization';

/** Interval between messages to all clients. */
const EVERY_MS = 25;
const SENDS = 400;
const WARM_UP_SENDS = 80;
/** Measured in turns, because other load of the machine changes. */
const ROUNDS = 3;

interface Busy {
  organization: Organization;
  api: GatewayApi;
  channel: string;
  receivers: number;
}

/** The cost of delivering the messages of a busy channel, with and without pauses between the answers to a client. */
export async function compareBusyChannel(busy: Busy): Promise<void> {
  // Both besides the gateway for the sends.
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

async function printBusy(name: string, { address, cpuMs }: ExtraEvents, busy: Busy): Promise<void> {
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

/** Sends start on time, whether or not the last one was answered. */
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

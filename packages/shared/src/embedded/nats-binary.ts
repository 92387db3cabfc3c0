import { ensureProgram } from './ensure-program';

const HOW_TO_GET_IT =
  'there is no nats-server in the PATH: install it (Debian and Ubuntu: apt-get install nats-server; macOS: brew install ' +
  'nats-server; others: https://nats.io/download), or set NATS_URL to a server with JetStream';

/** Installs nats-server where that is possible without asking; otherwise throws how to get it. */
export function ensureNatsServer(): Promise<void> {
  return ensureProgram('nats-server', HOW_TO_GET_IT);
}

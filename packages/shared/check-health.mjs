// The containers' health check: asks the service beside it, at the address that its own settings name. Exits with 1 when it is not well.
import { connectRpc, isServing } from '@parley/shared/rpc';

const TIMEOUT_MS = 3_000;
const { LISTEN, HEALTH_LISTEN = LISTEN, PORT } = process.env;

async function answersHttp(port) {
  const answer = await fetch(`http://127.0.0.1:${port}/health/live`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  return answer.ok;
}

function answersGrpc(port) {
  // gRPC health is the same whatever the service.
  return isServing(connectRpc('realm', `127.0.0.1:${port}`), TIMEOUT_MS);
}

const isWell = LISTEN === undefined ? answersHttp(PORT) : answersGrpc(HEALTH_LISTEN.split(':').at(-1));
process.exit((await isWell.catch(() => false)) ? 0 : 1);

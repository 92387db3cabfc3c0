import { inspect } from '@parley/shared/inspection';
import type { Inspected } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { COMMANDED, type CommandedService, type Connections } from '../command/command';
import type { OperatorConfig } from '../config';
import { readRunFile } from '../run-file';
import { withUploads } from './with-uploads';

const TIMEOUT_MS = 10_000;

/** A service's description of itself, or its error. */
export interface Health {
  name: CommandedService;
  inspected?: Inspected;
  fault?: string;
}

/** The state of the parts without an inspection method: the uploaded files, the gateway. */
export interface OtherHealth {
  name: string;
  said: string;
  fault?: string;
}

/** Inspects all services at once; one that does not answer delays none of the others. */
export async function inspectAll(
  connections: Connections<CommandedService>,
  config: OperatorConfig,
  { withMetrics }: { withMetrics: boolean },
): Promise<{ services: Health[]; others: OtherHealth[] }> {
  const services = COMMANDED.map(async (name): Promise<Health> => {
    try {
      return { name, inspected: await inspect(connections[name], newCall(undefined, TIMEOUT_MS), { withMetrics }) };
    } catch (error) {
      return { name, fault: `no answer: ${(error as Error).message}` };
    }
  });
  const others = [lookAt('uploaded files', () => checkStore(config))];
  const gateway = config.GATEWAY_URL ?? readRunFile(config.DATA_DIR)?.url;
  if (gateway !== undefined) others.push(lookAt('gateway', () => checkGateway(gateway)));
  return { services: await Promise.all(services), others: await Promise.all(others) };
}

async function lookAt(name: string, look: () => Promise<string>): Promise<OtherHealth> {
  try {
    return { name, said: await look() };
  } catch (error) {
    const { cause, message } = error as Error;
    return { name, said: '', fault: cause instanceof Error ? cause.message : message };
  }
}

/** Requests a file that does not exist: any answer shows that the store works. */
async function checkStore(config: OperatorConfig): Promise<string> {
  return withUploads(config, async (store) => {
    await store.get('0/no-such-file');
    const { S3_BUCKET: bucket } = config.environment;
    return bucket === undefined ? 'in a directory' : `in the bucket ${bucket}`;
  });
}

async function checkGateway(url: string): Promise<string> {
  const answer = await fetch(new URL('/health/ready', url), { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const text = (await answer.text()).slice(0, 500);
  if (!answer.ok) throw new Error(`HTTP ${answer.status} ${text}`);
  return 'ready';
}

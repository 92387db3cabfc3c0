import { setTimeout as sleep } from 'node:timers/promises';
import { readRunFile, writeRunFile } from '@parley/operator/run-file';
import { isPortFree } from '@parley/shared/embedded';
import { tlsFilesOf } from '@parley/shared/service';
import type { Config } from '../config';
import type { Demo } from '../demo/demo-file';
import { ensureDemo } from '../demo/ensure-demo';
import { greeting } from '../demo/greeting';
import { writeConversations } from '../demo/write-conversations';
import { lockDataDir } from './data-dir-lock';
import { keptSecrets } from './kept-secret';
import type { RunningParts } from './running-parts';
import { startServers } from './servers';
import { startServices } from './services';
import { untilAnswered } from './until-answered';

const EVERY_ADDRESS = new Set(['0.0.0.0', '::']);
const FORMER_RUN_TIMEOUT_MS = 10_000;

/** Starts everything; resolves with the output for the user when the first request succeeds. */
export async function run(parts: RunningParts): Promise<string> {
  const { DATA_DIR } = parts.config;
  const url = urlOf(parts.config);
  parts.onStop(await lockDataDir(DATA_DIR));
  await untilPortIsFree(parts);
  const secrets = keptSecrets(parts.config);
  const servers = await startServers(parts);
  const { realm, messages, invites, scheduler, events } = await startServices(parts, servers, secrets);
  const addresses = { realm, messages, invites, scheduler, events };
  parts.onStop(writeRunFile(DATA_DIR, { pid: process.pid, url, addresses }));
  await untilAnswered(`${url}/health/ready`);
  const demo = await ensureDemo(DATA_DIR, realm, tlsFilesOf(parts.config));
  if ('users' in demo) {
    await untilAnswered(`${url}/api/v1/users/me`, credentialsOf(demo));
    await writeConversations(DATA_DIR, url, demo);
  }
  return greeting(url, demo);
}

function urlOf({ BIND, PORT }: Config): string {
  const host = EVERY_ADDRESS.has(BIND) ? '127.0.0.1' : BIND;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}

/** The gateway of a killed start gets a moment to release the port; any other process there is an error at once. */
async function untilPortIsFree({ config: { BIND, PORT, DATA_DIR } }: RunningParts): Promise<void> {
  const giveUpAt = Date.now() + (readRunFile(DATA_DIR) ? FORMER_RUN_TIMEOUT_MS : 0);
  while (!(await isPortFree(BIND, PORT))) {
    if (Date.now() >= giveUpAt) throw new Error(`port ${PORT} of ${BIND} is in use: choose another one with PORT=...`);
    await sleep(100);
  }
}

function credentialsOf({ users: [owner] }: Demo): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${owner?.email}:${owner?.apiKey}`).toString('base64')}` };
}

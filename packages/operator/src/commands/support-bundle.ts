import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Inspected } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import { pack } from 'tar-stream';
import { COMMANDED, command } from '../command/command';
import { writeNewFile } from '../command/files';
import { file } from '../command/options';
import { type Health, inspectAll, type OtherHealth } from './inspect-all';

/** For support: the state of the deployment, without secrets and users' texts. */
export const supportBundle = command({
  services: COMMANDED,
  summary: 'writes versions, settings without secrets, health, schemas, metrics and counts into a file for support',
  options: { to: file('FILE.tar.gz') },
  examples: ['--to support.tar.gz'],
  async run(clients, { to: file }, { connections, config }) {
    const { services, others } = await inspectAll(connections, config, { withMetrics: true });
    const contents = { ...contentsOf(services, others), 'counts.json': json(await countsOf(clients.realm)) };
    const tar = pack();
    for (const [name, content] of Object.entries(contents)) tar.entry({ name }, content);
    tar.finalize();
    await writeNewFile(file, (destination) => pipeline(tar, createGzip(), destination));
    return { file, files: Object.keys(contents).length };
  },
});

function contentsOf(services: readonly Health[], others: readonly OtherHealth[]): Record<string, string> {
  const contents: Record<string, string> = {
    'health.json': json({ services: services.map(healthOf), others }),
    'about.json': json({ made_at: new Date().toISOString(), node: process.version, platform: process.platform }),
  };
  for (const { name, inspected } of services) {
    if (!inspected) continue;
    contents[`${name}/settings.json`] = json(settingsOf(inspected));
    contents[`${name}/migrations.json`] = json(inspected.migrations);
    contents[`${name}/metrics.txt`] = inspected.metrics;
  }
  return contents;
}

function healthOf({ name, inspected, fault }: Health) {
  if (!inspected) return { name, fault };
  const { version, nodeVersion, uptimeMs, servers } = inspected;
  return { name, version, node: nodeVersion, uptime_ms: uptimeMs, servers };
}

function settingsOf({ settings }: Inspected): Record<string, string> {
  return Object.fromEntries(settings.map(({ name, value }) => [name, value]));
}

/** Only the sizes of organizations: their names are private. */
async function countsOf(realm: RpcClient<'realm'>) {
  try {
    const { realms } = await realm.listRealms(newCall(), {});
    return realms.map(({ id, people, bots, isDeactivated, isPurged }) => ({
      id,
      people,
      bots,
      isDeactivated,
      isPurged,
    }));
  } catch (error) {
    return { fault: (error as Error).message };
  }
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@parley/shared/embedded';
import { loadConfig } from './config';
import { readDemo } from './demo/demo-file';
import { createHttpClient } from './network/http-client';
import { fillDemo, peopleOf } from './pictures/fill-demo';
import { hirePhotographer } from './pictures/take-pictures';
import { run } from './start/run';
import { createRunningParts } from './start/running-parts';

const FOLDER = path.resolve(__dirname, '../../../docs/pictures');

/** `npm run screenshots`: fills a demo organization of its own, and takes the pictures of README.md and docs/web.md. */
async function main(): Promise<void> {
  const [dataDir, port] = [mkdtempSync(path.join(tmpdir(), 'parley-pictures-')), await freePort()];
  const { DATABASE_URL: _, NATS_URL: __, ...environment } = process.env;
  const config = loadConfig({ ...environment, DATA_DIR: dataDir, PORT: String(port) });
  const parts = createRunningParts(config, (line) => process.stderr.write(line));
  const photographer = await hirePhotographer();
  const http = createHttpClient(`127.0.0.1:${port}`);
  try {
    await run(parts);
    const demo = readDemo(dataDir);
    if (!demo?.password) throw new Error('the demo organization was not made');
    const people = await peopleOf(demo, dataDir, `127.0.0.1:${port}`, http);
    const channelId = await fillDemo(people, await photographer.drawChart());
    const hash = `#narrow/channel/${channelId}-engineering/topic/release.202.2E4`;
    const shown = { url: `http://127.0.0.1:${port}`, email: people.dan.email, password: demo.password, hash };
    for (const { file, bytes } of await photographer.takeAll(shown, FOLDER)) {
      process.stdout.write(`${path.relative(process.cwd(), file)}: ${Math.ceil(bytes / 1_000)} KB\n`);
    }
  } finally {
    http.close();
    await photographer.close();
    await parts.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

void main().then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`npm run screenshots: ${(error as Error).stack}\n`);
    process.exit(1);
  },
);

import path from 'node:path';
import { TestNetwork } from '../../src';
import { SERVICES } from '../../src/network/plan';
import type { ServiceName } from '../../src/network/replica';

/** Large packages that few requests need: they are loaded with the first that does, or only where the settings ask for them. */
const LOADED_LATER =
  /node_modules\/(sharp|@img|@aws-sdk|@zxcvbn-ts|nodemailer|katex|sanitize-html|prismjs|re2js|@opentelemetry\/(?!api\/))/;
/** The client of Node's fetch, which pg would load, see shared/db/navigator.ts. */
const FETCH = /^node: .*undici/;
/** As a module its text would stay in memory: it is read as a file, see shared/prisma. */
const QUERY_COMPILER = /wasm-base64/;
/** Zod's messages, see shared/observability/zod-locales.ts. */
const OTHER_LANGUAGES = /node_modules\/zod\/v4\/locales\/(?!(en|index)\.)/;

const RARELY_USED = [LOADED_LATER, FETCH, QUERY_COMPILER, OTHER_LANGUAGES];

const waiting = new Map<ServiceName, (files: string[]) => void>();

let network: TestNetwork;
beforeAll(async () => {
  network = await TestNetwork.create({
    processes: SERVICES,
    settings: { NODE_ENV: 'production', NODE_OPTIONS: `--require ${path.join(__dirname, 'loaded-probe.cjs')}` },
    onLine({ name }, line) {
      if (line.startsWith('{"loaded":')) waiting.get(name)?.(JSON.parse(line).loaded);
    },
  });
}, 240_000);
afterAll(() => network?.stop());

test.each(SERVICES)('%s starts without loading rarely used packages', async (name) => {
  const files = await new Promise<string[]>((resolve) => {
    waiting.set(name, resolve);
    network.replicas[name][0]?.signal('SIGUSR2');
  });
  expect(files).not.toHaveLength(0);
  expect(files.filter((file) => RARELY_USED.some((rare) => rare.test(file)))).toEqual([]);
});

// Writes the TypeScript types of every .proto file; the options must match those of src/proto/load.ts.
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const protoDir = fileURLToPath(new URL('../../proto', import.meta.url));
const outDir = fileURLToPath(new URL('./src/generated', import.meta.url));
const files = readdirSync(protoDir).filter((name) => name.endsWith('.proto'));

rmSync(outDir, { recursive: true, force: true });
execFileSync(
  'proto-loader-gen-types',
  [
    '--longs=Number',
    '--enums=String',
    '--defaults',
    `--includeDirs=${protoDir}`,
    '--grpcLib=@grpc/grpc-js',
    `--outDir=${outDir}`,
    ...files,
  ],
  { stdio: ['ignore', 'ignore', 'inherit'] },
);

// One name per message: the complete type, for sending and receiving alike.
const types = readdirSync(`${outDir}/parley/v1`).map((name) => name.replace('.ts', ''));
const services = types.filter((name) => types.includes(name) && files.includes(`${name.toLowerCase()}.proto`));
const lines = types.map((name) =>
  services.includes(name)
    ? `export type { ${name}Definition, ${name}Handlers } from './parley/v1/${name}';`
    : `export type { ${name}__Output as ${name} } from './parley/v1/${name}';`,
);
writeFileSync(`${outDir}/index.ts`, `${lines.join('\n')}\n`);

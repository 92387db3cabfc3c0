// `npm run admin`: builds first on a fresh clone, silently, then runs the command.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const command = new URL('dist/main.js', import.meta.url);

// The services were built together with this: its build is current.
if (!existsSync(command)) {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const { status } = spawnSync('npm', ['run', 'build'], { cwd: root, stdio: 'ignore' });
  if (status !== 0) {
    process.stderr.write('the command could not be built: "npm run build" says why\n');
    process.exit(1);
  }
}

await import(command.href);

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../src/embedded';

const PROGRAM = process.env['PGBOUNCER'] ?? 'pgbouncer';

/** Whether pgbouncer is installed. */
export const hasPgbouncer = (): boolean => spawnSync(PROGRAM, ['--version']).status === 0;

/** A pgbouncer in front of a server, with its default settings except `settings`. */
export class Pgbouncer {
  #process: ChildProcess | undefined;
  readonly #directory = mkdtempSync(path.join(tmpdir(), 'parley-pgbouncer-'));

  /** Resolves with the server's address through it. */
  async start(serverUrl: string, settings: readonly string[]): Promise<string> {
    const server = new URL(serverUrl);
    const port = await freePort();
    const login = `user=${server.username}${server.password && ` password=${decodeURIComponent(server.password)}`}`;
    const lines = [
      '[databases]',
      `* = host=${server.hostname} port=${server.port} ${login}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      ...settings,
    ];
    const file = path.join(this.#directory, 'pgbouncer.ini');
    chmodSync(this.#directory, 0o755);
    writeFileSync(file, `${lines.join('\n')}\n`);
    // It does not run as root.
    const asNobody = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const running = spawn(PROGRAM, [...asNobody, file], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.#process = running;
    let output = '';
    for await (const text of running.stderr.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
      output += text;
      if (output.includes('process up')) break;
    }
    if (!output.includes('process up')) throw new Error(`pgbouncer did not start: ${output}`);
    running.stderr.resume();
    server.host = `127.0.0.1:${port}`;
    return server.toString();
  }

  async stop(): Promise<void> {
    if (this.#process) {
      const ended = once(this.#process, 'exit');
      this.#process.kill('SIGKILL');
      await ended;
    }
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

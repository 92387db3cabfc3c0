import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Locks a data directory for this process, and creates it if needed. Throws when another `npm start` has it. The lock is a socket in the
 * directory that a process listens on: the system releases it with the process, however that ends.
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  mkdirSync(dataDir, { recursive: true });
  const socket = socketOf(realpathSync(dataDir));
  const server = (await listen(socket)) ?? (await listenInsteadOfTheDead(socket));
  if (!server) throw new Error(`another npm start is running with the data in ${dataDir}`);
  return () => new Promise((resolve) => server.close(() => resolve()));
}

/** In the system's temporary folder: a socket's path is limited to some 100 characters, a data directory's is not. */
function socketOf(dataDir: string): string {
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 16);
  return path.join(tmpdir(), `parley-${name}.sock`);
}

async function listenInsteadOfTheDead(socket: string): Promise<Server | undefined> {
  if (await isAnswered(socket)) return undefined;
  rmSync(socket, { force: true });
  return listen(socket);
}

function listen(socket: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(socket, () => resolve(server.unref()));
  });
}

function isAnswered(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', () => resolve(false));
  });
}

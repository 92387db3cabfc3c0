import { createServer, type Server } from 'node:net';

// Below the range of ephemeral ports, so that no outgoing connection uses it before the server does.
const LOWEST = 20_000;
const BLOCKS = 120;
const BLOCK_SIZE = 100;

/**
 * A process gives out ports of its own block only: a replica that restarts finds its port, although other test processes look for free
 * ones meanwhile. It owns the block while it listens on the block's first port: the system ends that with the process, however it ends.
 */
let firstPort: Promise<number> | undefined;
let asked = 0;

/** A port of 127.0.0.1 that is free at this moment, and that no other process gets from this function. */
export async function freePort(): Promise<number> {
  firstPort ??= ownBlock();
  const first = await firstPort;
  for (let tries = 1; tries < BLOCK_SIZE; tries += 1) {
    asked += 1;
    const port = first + 1 + (asked % (BLOCK_SIZE - 1));
    if (await isPortFree('127.0.0.1', port)) return port;
  }
  throw new Error(`all ports of 127.0.0.1 from ${first} to ${first + BLOCK_SIZE - 1} are in use`);
}

async function ownBlock(): Promise<number> {
  for (let tries = 0; tries < BLOCKS; tries += 1) {
    const first = LOWEST + ((process.pid + tries) % BLOCKS) * BLOCK_SIZE;
    const guard = await listen('127.0.0.1', first);
    if (guard) {
      guard.unref();
      return first;
    }
  }
  throw new Error(`no free port of 127.0.0.1 was found from ${LOWEST} on`);
}

/** Whether this process could listen there now. Throws when the address is not one of this machine. */
export async function isPortFree(host: string, port: number): Promise<boolean> {
  const server = await listen(host, port);
  if (server) await new Promise((resolve) => server.close(resolve));
  return server !== undefined;
}

/** Undefined when the port is in use. */
function listen(host: string, port: number): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else reject(error);
    });
    server.listen(port, host, () => resolve(server));
  });
}

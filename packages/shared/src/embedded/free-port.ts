import { createServer } from 'node:net';

// Below the range of ephemeral ports, so that no outgoing connection uses it before the server does.
const LOWEST = 20_000;
const COUNT = 12_000;
/** Distance between neighbouring processes: tests that look for ports at the same moment begin at different ones. */
const STRIDE = 97;

let asked = 0;

/** A port of 127.0.0.1 that is free at this moment. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < COUNT; tries += 1) {
    asked += 1;
    const port = LOWEST + ((process.pid * STRIDE + asked) % COUNT);
    if (await isPortFree('127.0.0.1', port)) return port;
  }
  throw new Error(`no free port of 127.0.0.1 was found from ${LOWEST} on`);
}

/** Whether this process could listen there now. Throws when the address is not one of this machine. */
export function isPortFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen(port, host, () => server.close(() => resolve(true)));
  });
}

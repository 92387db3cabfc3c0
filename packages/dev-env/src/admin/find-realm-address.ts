import { connect } from 'node:net';
import type { Config } from '../config';
import { readRunFile } from '../start/run-file';

/** Where the realm service is: named by the operator, or that of the `npm start` that runs with the same data directory. */
export async function findRealmAddress({ REALM_ADDRESS, DATA_DIR }: Config): Promise<string> {
  if (REALM_ADDRESS) return REALM_ADDRESS;
  const run = readRunFile(DATA_DIR);
  // The file of a start that was killed is still there.
  if (run && (await isListening(run.realmAddress))) return run.realmAddress;
  throw new Error(
    `nothing runs with the data in ${DATA_DIR}: run npm start, or set REALM_ADDRESS to the host:port of a realm service`,
  );
}

function isListening(address: string): Promise<boolean> {
  const [host, port] = address.split(':') as [string, string];
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}

import './navigator';
import pg from 'pg';

export default pg;

/** A single connection. Its loss fails the next statement; without a listener it would end the process. */
export function createClient(config: pg.ClientConfig): pg.Client {
  const client = new pg.Client(config);
  client.on('error', () => {});
  return client;
}

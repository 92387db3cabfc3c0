import { createHash } from 'node:crypto';
import { silentLogger } from '@parley/shared/observability';
import { type Implementation, serve } from '@parley/shared/rpc';
import pg from 'pg';
import type { BareStatement } from './bare-statements';

// The second process of the bare request: one call → one prepared statement, whose first column is JSON already. Arguments: the
// addresses of realm's and of messages' database.
const [realm, messages] = process.argv.slice(2).map((connectionString) => new pg.Pool({ connectionString, max: 4 }));
const pools = { realm, messages } as Record<BareStatement['database'], pg.Pool>;

async function run(content: string): Promise<{ rendered: string }> {
  const { database, text, values } = JSON.parse(content) as BareStatement;
  if (text === '') return { rendered: '{}' };
  const name = createHash('sha1').update(text).digest('hex');
  const statement: pg.QueryArrayConfig = { name, text, rowMode: 'array', ...(values && { values }) };
  const { rows } = await pools[database].query<[string | null]>(statement);
  return { rendered: rows[0]?.[0] ?? '{}' };
}

const implementation = { renderContent: (_call, { content }) => run(content) } as Partial<Implementation<'messages'>>;

void serve({
  service: 'messages',
  // No other method is called.
  implementation: new Proxy(implementation, { get: (known, name) => Reflect.get(known, name) ?? run }) as never,
  address: '127.0.0.1:0',
  log: silentLogger,
}).then(({ address }) => process.send?.({ started: address }));
process.on('disconnect', () => process.exit(0));

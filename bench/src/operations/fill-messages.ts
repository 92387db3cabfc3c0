import { connectRpc, newCall } from '@parley/shared/rpc';
import type pg from 'pg';
import type { FilledParley } from './filled-parley';

const TIMEOUT_MS = 6 * 3_600_000;
/** From this number on, building the indexes afterwards is faster than keeping them up to date. */
const MANY = 500_000;

/** Gives the organization that number of messages, unless an earlier run has done so in the same data. Returns whether it did. */
export async function fillMessages(
  { addresses, realmId }: FilledParley,
  client: pg.Client,
  wanted: { messages: number; topics: number },
): Promise<boolean> {
  const { rows } = await client.query('select from message where realm_id = $1 limit 1', [realmId]);
  if (rows.length > 0) return false;
  const messages = connectRpc('messages', addresses.messages);
  const fill = () =>
    messages.client.fillMessages(newCall(undefined, TIMEOUT_MS), { subdomain: '', ...wanted, seed: 1 });
  await (wanted.messages < MANY ? fill() : withoutIndexes(client, fill));
  messages.close();
  // Otherwise autovacuum does it while requests are measured.
  await client.query('vacuum (analyze)');
  return true;
}

/** Drops the indexes of messages but the key, and creates them again. */
async function withoutIndexes(client: pg.Client, work: () => Promise<unknown>): Promise<void> {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in (select relid from pg_partition_tree('message') where isleaf) and not indisprimary`,
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  await work();
  await client.query(`set maintenance_work_mem = '1GB'`);
  for (const { definition } of rows) await client.query(definition);
}

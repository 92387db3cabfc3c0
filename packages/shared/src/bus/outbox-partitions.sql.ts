import { z } from 'zod';
import { composed, type Sql } from '../db';

// The outbox is partitioned by ranges of ids. A service's user may not create or drop tables: two functions do it with the rights of the tables'
// owner. Their conditions are in the migration that creates them.

const CREATE = composed('select create_outbox_partition() as "hasNextStep"', { hasNextStep: z.boolean() });

/** Creates a partition if there is little room left for new ids. To be called every minute, also while nothing can be published. */
export async function ensureRoom(sql: Sql): Promise<void> {
  let hasNextStep = true;
  while (hasNextStep) hasNextStep = (await sql.query(CREATE))[0]?.hasNextStep === true;
}

const DROP = composed('select drop_outbox_partition() as "hasDropped"', { hasDropped: z.boolean() });

/** Drops the partitions whose events are all published, and older than the retention of the log. */
export async function dropExpiredPartitions(sql: Sql): Promise<void> {
  let hasDropped = true;
  while (hasDropped) hasDropped = (await sql.query(DROP))[0]?.hasDropped === true;
}

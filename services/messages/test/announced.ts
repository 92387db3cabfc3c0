import type { Database } from '@parley/shared/db';
import type { EventDeclaration } from '@parley/shared/events';

/** The payloads of a kind of event that were announced since `run` began, oldest first. */
export async function announcedBy<Payload>(
  db: Database,
  { kind }: EventDeclaration<string, Payload>,
  run: () => Promise<unknown>,
): Promise<Payload[]> {
  const [before] = await db.query<{ id: number }>('select coalesce(max(id), 0) as id from outbox');
  await run();
  const rows = await db.query<{ payload: string }>(
    'select payload from outbox where kind = $1 and id > $2 order by id',
    [kind, before?.id],
  );
  return rows.map(({ payload }) => JSON.parse(payload));
}

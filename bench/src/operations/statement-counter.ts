import pg from 'pg';

/** The settings of PostgreSQL needed to count statements. */
export const COUNTING = ['shared_preload_libraries=pg_stat_statements'];
/** The same with the time that planning takes. */
export const COUNTING_PLANS = [...COUNTING, 'pg_stat_statements.track_planning=on'];

export interface StatementCost {
  text: string;
  calls: number;
  planMs: number;
  executionMs: number;
  /** Of the database, 8 KiB each, read mostly from memory. */
  pages: number;
}

/** Counts the SQL statements of all services together, transaction control included. */
export class StatementCounter {
  private constructor(private readonly client: pg.Client) {}

  static async open(databaseUrl: string): Promise<StatementCounter> {
    const client = new pg.Client(databaseUrl);
    await client.connect();
    await client.query('create extension if not exists pg_stat_statements');
    return new StatementCounter(client);
  }

  /** The lowest count of several runs: excludes what the services do besides `work`. */
  async fewest(
    runs: number,
    work: (run: number) => Promise<unknown>,
    prepare: () => Promise<unknown>,
  ): Promise<number> {
    const counts: number[] = [];
    for (let run = 0; run < runs; run += 1) {
      await prepare();
      const before = await this.#count();
      await work(run);
      counts.push((await this.#count()) - before);
    }
    return Math.min(...counts);
  }

  /** The costs of the services' statements since the last call, the most expensive first. */
  async takeCosts(limit: number): Promise<StatementCost[]> {
    const { rows } = await this.client.query<StatementCost>(
      `select s.query as text, s.calls::float as calls, s.total_plan_time as "planMs", s.total_exec_time as "executionMs",
         (s.shared_blks_hit + s.shared_blks_read)::float as pages
       from pg_stat_statements s join pg_database d on d.oid = s.dbid
       where d.datname like 'parley\\_%' order by s.total_plan_time + s.total_exec_time desc limit $1`,
      [limit],
    );
    await this.client.query('select pg_stat_statements_reset()');
    return rows;
  }

  /** The database's pages that the services' statements have read since the costs were taken. */
  async countPages(): Promise<number> {
    const { rows } = await this.client.query<{ count: number }>(
      `select coalesce(sum(s.shared_blks_hit + s.shared_blks_read), 0)::float as count from pg_stat_statements(false) s
       join pg_database d on d.oid = s.dbid where d.datname like 'parley\\_%'`,
    );
    return (rows[0] as { count: number }).count;
  }

  close(): Promise<void> {
    return this.client.end();
  }

  async #count(): Promise<number> {
    const { rows } = await this.client.query<{ count: number }>(
      `select coalesce(sum(s.calls), 0)::float as count from pg_stat_statements(false) s
       join pg_database d on d.oid = s.dbid where d.datname like 'parley\\_%'`,
    );
    return (rows[0] as { count: number }).count;
  }
}

import type { AuditLogs } from '@parley/shared/proto';
import type { Context } from '../context';
import { listHeads } from './audit.sql';

/** Every log, and how far it goes. For the operator's command. */
export async function listAuditLogs({ db }: Context): Promise<AuditLogs> {
  return { logs: await listHeads(db) };
}

import type { AuditEntry } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import { type Positions, writePositions } from './positions';

/** The limits of a batch: number of entries, and of characters. */
const MAX_ENTRIES = 500;
const MAX_CHARACTERS = 1_000_000;

export interface Following {
  service: RpcClient<'realm'>;
  /** Logs of this organization only; absent: of all, and of the deployment. */
  realmId: number | undefined;
  positions: Positions;
  positionFile: string | undefined;
  /** Resolves when the receiver has stored the lines. */
  deliver: (lines: string) => Promise<void>;
  stopping: AbortSignal;
}

/** Delivers new entries, log by log, in order; returns their number. The position is stored after the delivery. */
export async function deliverNew(following: Following): Promise<number> {
  const { service, realmId: only, positions } = following;
  const { logs } = await service.listAuditLogs(newCall(), {});
  let count = 0;
  for (const { realmId, lastSeq } of logs) {
    if (only !== undefined && realmId !== only) continue;
    while ((positions.get(realmId) ?? 0) < lastSeq && !following.stopping.aborted) {
      const delivered = await deliverBatch(following, realmId);
      if (delivered === 0) break;
      count += delivered;
    }
  }
  return count;
}

async function deliverBatch(following: Following, realmId: number): Promise<number> {
  const { service, positions, positionFile, deliver } = following;
  const afterSeq = positions.get(realmId) ?? 0;
  const request = { subdomain: '', realmId, afterSeq, limit: MAX_ENTRIES };
  const { entries } = await service.listAuditEntries(newCall(), request);
  const batch = bounded(entries);
  const last = batch.at(-1);
  if (!last) return 0;
  await deliver(batch.map(lineOf).join(''));
  positions.set(realmId, last.seq);
  await writePositions(positionFile, positions);
  return batch.length;
}

function bounded(entries: readonly AuditEntry[]): AuditEntry[] {
  let characters = 0;
  const batch: AuditEntry[] = [];
  for (const entry of entries) {
    characters += entry.json.length;
    if (batch.length > 0 && characters > MAX_CHARACTERS) break;
    batch.push(entry);
  }
  return batch;
}

/** The entry as recorded, with its hash: together with `realm` and `seq` it identifies a repeated line. */
function lineOf({ json, hash }: AuditEntry): string {
  return `${json.slice(0, -1)},"hash":"${hash}"}\n`;
}

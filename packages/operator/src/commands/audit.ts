import { DEPLOYMENT } from '@parley/shared/events';
import type { AuditEntry } from '@parley/shared/proto';
import { newCall, type RpcClient } from '@parley/shared/rpc';
import { command } from '../command/command';
import { integer, realm, text, withoutUndefined } from '../command/options';

const USUAL_LIMIT = 100;
const PAGE = 1_000;
/** It may read every entry. */
const VERIFY_TIMEOUT_MS = 600_000;

/** An entry, as it is printed. */
interface Entry {
  at: string;
  act: string;
  actor: { kind: string; id?: number };
  subject: { kind: string; id: number };
  before?: object;
  after?: object;
  address?: string;
  requestId: string;
}

export const auditList = command({
  services: ['realm'],
  summary: 'lists the latest acts of administrators in an organization, or, without --realm, on the whole deployment',
  options: {
    realm: realm.optional(),
    since: text('TIME').optional(),
    actor: text('EMAIL|operator').optional(),
    limit: integer('N').optional(),
  },
  examples: ['--realm acme --since 2030-01-31 --actor ada@acme.org --json'],
  async run({ realm: service }, { realm: subdomain, since, actor, limit = USUAL_LIMIT }) {
    const sinceMs = since === undefined ? undefined : instantOf(since);
    const request = { ...placeOf(subdomain), limit, ...withoutUndefined({ sinceMs, actor }) };
    const { entries } = await service.listAuditEntries(newCall(), request);
    return { entries: entries.map(fieldsOf) };
  },
});

export const auditExport = command({
  services: ['realm'],
  summary:
    'prints all of the audit log of an organization, or, without --realm, of the deployment: a line of JSON an entry, with its hash',
  options: { realm: realm.optional() },
  examples: ['--realm acme'],
  async run({ realm: service }, { realm: subdomain }) {
    const lines: string[] = [];
    for await (const { seq, hash, json } of allEntries(service, subdomain)) {
      lines.push(`${JSON.stringify({ seq, hash, entry: json })}\n`);
    }
    return lines.join('');
  },
});

export const auditVerify = command({
  services: ['realm'],
  summary: 'checks that the audit log, of one organization or of all, is what was written',
  options: { realm: realm.optional() },
  async run({ realm: service }, { realm: subdomain }) {
    const { logs } = await service.verifyAuditLog(
      newCall(undefined, VERIFY_TIMEOUT_MS),
      withoutUndefined({ subdomain }),
    );
    const faults = logs.flatMap(({ realmId, fault }) =>
      fault === undefined ? [] : [`${realmId === DEPLOYMENT ? 'deployment' : `organization ${realmId}`}: ${fault}`],
    );
    if (faults.length > 0) throw new Error(`the audit log is broken: ${faults.join('; ')}`);
    const found = logs.map(({ realmId, entries, headHash }) => ({ realm_id: realmId, entries, head: headHash }));
    return { verdict: 'OK', entries: logs.reduce((sum, { entries }) => sum + entries, 0), logs: found };
  },
});

async function* allEntries(service: RpcClient<'realm'>, subdomain: string | undefined): AsyncGenerator<AuditEntry> {
  for (let afterSeq = 0; ; ) {
    const { entries } = await service.listAuditEntries(newCall(), { ...placeOf(subdomain), limit: PAGE, afterSeq });
    yield* entries;
    if (entries.length < PAGE) return;
    afterSeq = (entries.at(-1) as AuditEntry).seq;
  }
}

function placeOf(subdomain: string | undefined) {
  return subdomain === undefined ? { subdomain: '', isOfDeployment: true } : { subdomain };
}

function fieldsOf({ seq, json }: AuditEntry) {
  const { at, act, actor, subject, before, after, address, requestId } = JSON.parse(json) as Entry;
  return {
    ...{ seq, at, act, by: actor.id === undefined ? actor.kind : `${actor.kind} ${actor.id}` },
    ...{ on: `${subject.kind} ${subject.id}` },
    ...withoutUndefined({ before: before && JSON.stringify(before), after: after && JSON.stringify(after), address }),
    request: requestId,
  };
}

function instantOf(time: string): number {
  const instant = Date.parse(time);
  if (Number.isNaN(instant))
    throw new Error(`--since must be a day or a time like 2030-01-31T08:00:00Z (it is "${time}")`);
  return instant;
}

import { createHash } from 'node:crypto';
import { type Implementation, serve } from '@parley/shared/rpc';
import { silentLogger } from '@parley/shared/service';
import { loadConfig } from '../config';
import { runCommand } from '../run-command';

async function run(words: string[], realm: Partial<Implementation<'realm'>>): Promise<string> {
  const implementation = realm as Implementation<'realm'>;
  const server = await serve({ service: 'realm', implementation, address: '127.0.0.1:0', log: silentLogger });
  try {
    return await runCommand(words, loadConfig({ REALM_ADDRESS: server.address }));
  } finally {
    await server.stop(0);
  }
}

const entry = (seq: number) => ({
  seq,
  json: JSON.stringify({
    ...{ realm: 2, seq, at: '2030-01-02T03:04:05.000Z', act: 'update-user', actor: { kind: 'user', id: 8 } },
    ...{ requestId: 'r1', address: '203.0.113.7', subject: { kind: 'user', id: 9 } },
    ...{ before: { role: 400 }, after: { role: 200 } },
  }),
  hash: createHash('sha256').update(String(seq)).digest('hex'),
});

describe('the audit log', () => {
  test('is listed: the requested last entries', async () => {
    let asked: unknown;
    const words = ['--since', '2030-01-01', '--actor', 'ada@acme.org', '--limit', '5'];
    const output = await run(['audit', 'list', '--realm', 'acme', ...words, '--json'], {
      listAuditEntries: async (_call, request) => {
        asked = request;
        return { entries: [entry(1)] };
      },
    });
    expect(asked).toEqual({ subdomain: 'acme', limit: 5, sinceMs: Date.UTC(2030, 0, 1), actor: 'ada@acme.org' });
    expect(JSON.parse(output)).toEqual({
      entries: [
        {
          ...{ seq: 1, at: '2030-01-02T03:04:05.000Z', act: 'update-user', by: 'user 8', on: 'user 9' },
          ...{ before: '{"role":400}', after: '{"role":200}', address: '203.0.113.7', request: 'r1' },
        },
      ],
    });
    await expect(run(['audit', 'list', '--realm', 'acme', '--since', 'when'], {})).rejects.toThrow('--since must be');
  });

  test('is exported page by page, a line of JSON an entry', async () => {
    const asked: unknown[] = [];
    const output = await run(['audit', 'export', '--realm', 'acme'], {
      listAuditEntries: async (_call, { afterSeq = 0, limit }) => {
        asked.push([afterSeq, limit]);
        return {
          entries: Array.from({ length: afterSeq === 0 ? limit : 1 }, (_, index) => entry(afterSeq + index + 1)),
        };
      },
    });
    expect(asked).toEqual([
      [0, 1_000],
      [1_000, 1_000],
    ]);
    const lines = output.trimEnd().split('\n');
    expect(lines).toHaveLength(1_001);
    const { seq, json, hash } = entry(1_001);
    expect(JSON.parse(lines.at(-1) as string)).toEqual({ seq, hash, entry: json });
  });

  test('is verified: how much of it there is, and its head', async () => {
    const verifyAuditLog = async () => ({ logs: [{ realmId: 2, entries: 7, headHash: 'c0ffee' }] });
    expect(await run(['audit', 'verify', '--realm', 'acme'], { verifyAuditLog })).toBe(
      'verdict: OK\nentries: 7\nlogs:\n  realm_id: 2, entries: 7, head: c0ffee\n',
    );
  });

  test('fails the verification at changed records', async () => {
    const broken = { realmId: 3, entries: 4, headHash: '', fault: 'entry 5 is missing' };
    const verdict = run(['audit', 'verify'], { verifyAuditLog: async () => ({ logs: [broken] }) });
    await expect(verdict).rejects.toThrow('the audit log is broken: organization 3: entry 5 is missing');
  });
});

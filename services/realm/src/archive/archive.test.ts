import type { RealmSummary } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { freshName, newOrganization, openContext, type Person, type TestContext } from '../../test/examples';
import { withAudit } from '../audit/with-audit';
import { implementation } from '../rpc';

let ctx: TestContext;
let realm: ReturnType<typeof implementation>;
let olivia: Person;
/** An organization in import, with a copy of the audit log of Olivia's. */
let realmId: number;

beforeAll(async () => {
  ctx = await openContext();
  realm = withAudit(ctx, implementation);
});
beforeEach(async () => {
  olivia = await newOrganization(ctx);
  for (const name of ['One', 'Two', 'Three'])
    await realm.updateRealm(olivia, { name, settings: '{}', groupSettings: {} });
  ({ realmId } = await realm.beginImport(newCall(), { subdomain: freshName('copy') }));
  await ctx.db.query(
    `insert into audit_entry (realm_id, seq, entry, hash) select $2, seq, entry, hash from audit_entry where realm_id = $1`,
    [olivia.realmId, realmId],
  );
  await ctx.db.query(
    `insert into audit_head (realm_id, seq, hash, signature) select $2, seq, hash, 'of another service' from audit_head
     where realm_id = $1`,
    [olivia.realmId, realmId],
  );
});
afterAll(() => ctx.close());

const UUID = '0f8fad5b-d9cb-469f-a165-70867728950e';

function finish(subdomain: string, formerRealmId = olivia.realmId) {
  return realm.finishImport(newCall(), { realmId, subdomain, formerRealmId, uuid: UUID, isDeactivated: false });
}

async function verdictOn(subdomain: string) {
  const { logs } = await realm.verifyAuditLog(newCall(), { subdomain });
  return logs[0];
}

test('an imported audit log continues and stays valid', async () => {
  const subdomain = freshName('copy');
  await finish(subdomain);
  expect(await verdictOn(subdomain)).toEqual({ realmId, entries: 4, headHash: expect.any(String) });
  await expect(finish(subdomain)).rejects.toThrow('not being imported');
});

test('copied entries of another organization are invalid', async () => {
  const subdomain = freshName('copy');
  await finish(subdomain);
  const entry = `(select entry from audit_entry where realm_id = $1 and seq = 4)`;
  await ctx.db.query(
    `update audit_entry set entry = replace(${entry}, '"act":"import-realm"', '"act":"update-realm"'),
       hash = sha256((select hash from audit_entry where realm_id = $1 and seq = 3)
         || convert_to(replace(${entry}, '"act":"import-realm"', '"act":"update-realm"'), 'UTF8'))
     where realm_id = $1 and seq = 4`,
    [realmId],
  );
  expect((await verdictOn(subdomain))?.fault).toBe('entry 4 belongs elsewhere');
});

test.each([
  [
    'an entry was changed',
    `update audit_entry set entry = replace(entry, 'Two', 'Six') where realm_id = $1`,
    'entry 2',
  ],
  ['the last one is missing', 'delete from audit_entry where realm_id = $1 and seq = 3', 'its end is missing'],
  ['its end is another one', `update audit_head set hash = sha256('x') where realm_id = $1`, 'its end is missing'],
])('an import is refused when %s in the audit log', async (_what, tampering, fault) => {
  await ctx.db.query(tampering, [realmId]);
  await expect(finish(freshName('copy'))).rejects.toThrow(fault);
});

test('an import is refused with the audit log of another organization', async () => {
  await expect(finish(freshName('copy'), olivia.realmId + 1)).rejects.toThrow('entry 3 belongs elsewhere');
});

test('until it is finished its audit log is not taken for a broken one', async () => {
  const { logs } = await realm.verifyAuditLog(newCall(), {});
  const verified = logs.map((log) => log.realmId);
  expect(verified).toContain(olivia.realmId);
  expect(verified).not.toContain(realmId);
  await finish(freshName('copy'));
  const { logs: all } = await realm.verifyAuditLog(newCall(), {});
  expect(all).toContainEqual({ realmId, entries: 4, headHash: expect.any(String) });
});

test('until it is finished it cannot be reactivated or rescheduled for deletion', async () => {
  const { realms } = await realm.listRealms(newCall(), {});
  const { subdomain } = realms.find(({ id }) => id === realmId) as RealmSummary;
  const request = { subdomain, delayDays: 0 };
  await expect(realm.reactivateRealm(newCall(), request)).rejects.toThrow('Invalid subdomain');
  await expect(realm.scheduleRealmPurge(newCall(), request)).rejects.toThrow('Invalid subdomain');
});

test('an import that is not finished within a day is deleted, and leaves no trace', async () => {
  expect((await realm.listRealmsToPurge(newCall(), {})).realmIds).not.toContain(realmId);
  ctx.clock.advance(24 * 3_600_000);
  await expect(finish(freshName('copy'))).rejects.toThrow('not being imported');
  expect((await realm.listRealmsToPurge(newCall(), {})).realmIds).toContain(realmId);
  while (!(await realm.purgeRealm(newCall(), { realmId })).isComplete);
  const left = await ctx.db.query(
    'select id from realm where id = $1 union all select seq from audit_entry where realm_id = $1',
    [realmId],
  );
  expect(left).toEqual([]);
});

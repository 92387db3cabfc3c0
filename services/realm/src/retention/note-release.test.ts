import { contextOfTests, ownerOfEachTest } from '../../test/each-test';
import { newOrganization } from '../../test/examples';
import { publicEvents } from '../../test/public-events';
import { deactivateRealm } from '../organization/deactivate-realm';
import { noteRelease } from './note-release';

const ctx = contextOfTests();
const olivia = ownerOfEachTest(ctx);
beforeEach(() => ctx.db.query('update release set version = null, feature_level = null, noted_at = null'));

const note = (version: string, featureLevel = 1) =>
  noteRelease(ctx, { version, mergeBase: `${version}-base`, featureLevel });
const announced = async (caller = olivia) => (await publicEvents(ctx, caller, 'restart')).map(({ event }) => event);

describe('the release that a gateway says', () => {
  test('is not announced when it is the first, or unchanged', async () => {
    await note('1.0');
    await note('1.0');
    expect(await announced()).toEqual([]);
  });

  test('is announced in each open organization when it changes, by the names of all brands', async () => {
    const [other, closed] = [await newOrganization(ctx), await newOrganization(ctx)];
    await deactivateRealm(ctx, closed, {});
    ctx.config.API_BRANDS = ['service', 'acme'];
    await note('1.0');
    ctx.clock.advance(60_000);
    await note('2.0', 2);
    const event = {
      type: 'restart',
      service_version: '2.0',
      acme_version: '2.0',
      service_merge_base: '2.0-base',
      acme_merge_base: '2.0-base',
      service_feature_level: 2,
      acme_feature_level: 2,
      server_generation: Math.floor(ctx.clock.now() / 1000),
    };
    for (const caller of [olivia, other]) {
      expect(await publicEvents(ctx, caller, 'restart')).toEqual([{ audience: { to: 'realm' }, event }]);
    }
    expect(await announced(closed)).toEqual([]);
  });

  test.each([
    ['version', '1.1', 1],
    ['feature level', '1.0', 2],
  ])('is another one by its %s alone', async (_what, version, featureLevel) => {
    await note('1.0');
    await note(version, featureLevel);
    expect(await announced()).toMatchObject([{ service_version: version, service_feature_level: featureLevel }]);
  });

  test('is announced once for concurrent reports of many gateways', async () => {
    await note('1.0');
    const waiting = `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    let notes: Promise<unknown>[] = [];
    // All calls arrive before the first is answered.
    await ctx.db.transaction(async (tx) => {
      await tx.query('select 1 from release for update');
      notes = Array.from({ length: 10 }, () => note('2.0'));
      while ((await ctx.db.query(waiting)).length < notes.length);
    });
    await Promise.all(notes);
    expect(await announced()).toHaveLength(1);
  });

  test('is announced again after a report of an older gateway', async () => {
    for (const version of ['1.0', '2.0', '1.0', '2.0']) await note(version);
    expect(await announced()).toMatchObject(['2.0', '1.0', '2.0'].map((version) => ({ service_version: version })));
  });
});

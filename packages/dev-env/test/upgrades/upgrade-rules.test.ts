import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { ServiceName } from '../../src/network/replica';
import { carriedFaults, eventFaults, HOLDS_PAYLOADS, type Payloads, readPayloads } from './event-faults';
import { type Migration, migrationFaults, readStatements } from './migration-faults';
import { filesOf, isMentioned, previousVersion, ROOT, readFileOf } from './previous-version';
import { protoFaults, readContract } from './proto-faults';
import { UPGRADE_ORDER } from './upgrade-order';

const MIGRATIONS = /^(packages\/shared|services\/\w+)\/migrations\/\d{6}-[a-z0-9-]+\.sql$/;

const EVENTS = 'packages/shared/src/events';

const FOLDERS = ['packages/shared', ...readdirSync(path.join(ROOT, 'services')).map((name) => `services/${name}`)];
const textOf = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');

/** As far as it is in the file system: the newest ones may not be committed yet. */
function filesIn(folder: string): string[] {
  const names = readdirSync(path.join(ROOT, folder), { withFileTypes: true });
  return names.filter((each) => each.isFile()).map(({ name }) => `${folder}/${name}`);
}

function migrationsNow(): Migration[] {
  const folders = FOLDERS.filter((folder) => readdirSync(path.join(ROOT, folder)).includes('migrations'));
  const names = folders.flatMap((folder) => filesIn(`${folder}/migrations`)).filter((name) => MIGRATIONS.test(name));
  return names.map((name) => ({ name, text: textOf(name) }));
}

function payloadsNow(): Payloads {
  const names = filesIn(EVENTS).filter((name) => HOLDS_PAYLOADS.test(name));
  return readPayloads(names.map(textOf));
}

describe('since the previous version', () => {
  const version = previousVersion();
  const earlier = ['packages/shared', 'services'].flatMap((folder) => filesOf(version, folder));
  const applied = earlier.filter((name) => MIGRATIONS.test(name));

  test('every migration that it has applied is as it was', () => {
    const texts = new Map(migrationsNow().map(({ name, text }) => [name, text]));
    expect(applied.length).toBeGreaterThan(0);
    expect(applied.filter((name) => texts.get(name) !== readFileOf(version, name))).toEqual([]);
  });

  test('no new migration disturbs it while it serves', () => {
    const added = migrationsNow().filter(({ name }) => !applied.includes(name));
    const faults = added.flatMap((each) => migrationFaults(each, applied).map((fault) => `${each.name} ${fault}`));
    expect(faults).toEqual([]);
  });

  test('the services’ calls and events stay compatible with it', () => {
    const before = readContract(filesOf(version, 'proto').map((name) => readFileOf(version, name)));
    const now = readContract(filesIn('proto').map(textOf));
    expect(before.calls.size).toBeGreaterThan(0);
    const isCalled = (call: string) => isMentioned(version, callOf(call), ['services/*.ts', 'packages/*.ts']);
    expect(protoFaults(before, now, isCalled)).toEqual([]);
    expect(carriedFaults(before, now, payloadsNow())).toEqual([]);
  });

  test('both versions understand the events in the log', () => {
    const names = filesOf(version, EVENTS).filter((name) => HOLDS_PAYLOADS.test(name));
    const before = readPayloads(names.map((name) => readFileOf(version, name)));
    const shared = ['ReactionChanged.user', 'Peers.audience', 'FlagFacts.text', 'Condition.versions'];
    expect([...before.members.keys()]).toEqual(expect.arrayContaining(shared));
    expect([...before.members.keys()]).not.toContain('ClientView.capabilities');
    expect(eventFaults(before, payloadsNow())).toEqual([]);
  });
});

/** `Realm.GetUser` → `.getUser(` */
function callOf(call: string): string {
  const name = call.slice(call.indexOf('.') + 1);
  return `.${name[0]?.toLowerCase()}${name.slice(1)}(`;
}

describe('a migration', () => {
  const EARLIER = ['services/messages/migrations/000030-new-column.sql'];
  const faultsOf = (text: string) =>
    migrationFaults({ name: 'services/messages/migrations/000031-x.sql', text }, EARLIER);

  test.each([
    ['makes a table and what belongs to it', 'create table t (id bigint not null); create index t_by_id on t (id);'],
    ['adds a column that may be null', 'alter table message add column note text;'],
    [
      'adds a column with a default',
      "alter table message add column kind int not null default 0, add column b text[] default '{}';",
    ],
    ['allows more', 'alter table message drop constraint c, alter column topic_id drop not null;'],
    [
      'makes an index meanwhile',
      '-- migrate: no-transaction\ncreate index concurrently if not exists i on message (id);',
    ],
    ['makes an index of a small table', 'create index realm_by_name on realm (name);'],
    [
      'adds a check for new rows, as a contract',
      '-- contract: 000030-new-column\nalter table message add check (a > 0) not valid;',
    ],
    [
      'takes away what the previous version does not use',
      '-- contract: 000030-new-column\nalter table message drop column old;',
    ],
    ['only writes of it', '-- drop column x; rename y\nalter table channel add column a text;'],
  ])('may be one that %s', (_what, text) => {
    expect(faultsOf(text)).toEqual([]);
  });

  test.each([
    ['drops a column', 'alter table channel drop column old;', 'drops'],
    ['drops a table', 'drop table draft;', 'drops'],
    ['renames', 'alter table message rename column a to b;', 'renames'],
    ['changes a type', 'alter table message alter column a type bigint;', 'changes the type'],
    ['forbids null', 'alter table channel alter column a set not null;', 'forbids null'],
    ['forbids a value', 'alter table channel add check (a > 0);', 'forbids what was allowed'],
    ['takes away by a contract that nothing has prepared', '-- contract: 000029-never\ndrop table draft;', 'drops'],
    ['requires what old replicas do not set', 'alter table channel add column a text not null;', 'old replicas'],
    [
      'requires it also by a contract',
      '-- contract: 000030-new-column\nalter table channel add a int, add column b int not null;',
      'old replicas',
    ],
    ['keeps writers waiting', 'create index i on message (id);', 'concurrently'],
    ['rewrites a table', 'alter table message add column v tsvector generated always as (a) stored;', 'rewrites'],
    ['changes every row', 'update message set a = 1;', 'a chore'],
    [
      'reads every row under a lock',
      '-- contract: 000030-new-column\nalter table message add constraint c check (a > 0);',
      'not valid',
    ],
    ['is concurrent in a transaction', 'create index concurrently if not exists i on message (id);', 'no-transaction'],
    [
      'cannot be begun again',
      '-- migrate: no-transaction\ncreate index concurrently i on message (id);',
      'if (not) exists',
    ],
    [
      'does two things outside a transaction',
      '-- migrate: no-transaction\ndrop index if exists a; drop index if exists b;',
      'one statement',
    ],
  ])('may not be one that %s', (_what, text, fault) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(fault)]);
  });

  test('is read statement by statement', () => {
    const text = "-- a; b\nselect ';' as A;\n\ncreate function f() as $$ begin; end $$;";
    expect(readStatements(text)).toEqual(["select ';' as a", 'create function f() as $$ begin; end $$']);
  });
});

describe('a call between services', () => {
  const CONTRACT = `syntax = "proto3"; package parley.v1; import "common.proto";
    service Realm { rpc GetUser(GetUserRequest) returns (User); } // A comment.
    message GetUserRequest { int64 user_id = 1; reserved 2, 9 to 10; }
    message User { optional string name = 1; repeated int64 ids = 2; map<string, User> friends = 3;
      string old = 4 [deprecated = true]; }`;
  const faultsOf = (text: string, isCalled = true) =>
    protoFaults(readContract([CONTRACT]), readContract([text]), () => isCalled);
  const changed = (from: string, to: string) => {
    expect(CONTRACT).toContain(from);
    return CONTRACT.replace(from, to);
  };

  test.each([
    ['a new field', changed('name = 1;', 'name = 1; string email = 5;')],
    [
      'a field that was deprecated before it goes, and leaves its number',
      changed('string old = 4 [deprecated = true];', 'reserved 4;'),
    ],
    ['a field that is deprecated', changed('repeated int64 ids = 2;', 'repeated int64 ids = 2 [deprecated = true];')],
    ['a field that need not be there', changed('int64 user_id', 'optional int64 user_id')],
    ['a new field of a request that may be absent', changed('user_id = 1;', 'user_id = 1; optional bool a = 3;')],
    ['a new list in a request', changed('user_id = 1;', 'user_id = 1; repeated int64 ids = 3;')],
    ['a new choice in a request', changed('user_id = 1;', 'user_id = 1; oneof a { bool b = 3; string c = 4; }')],
    ['a new call', changed('service Realm {', 'service Realm { rpc ListUsers(User) returns (User);')],
  ])('is understood with %s', (_what, text) => {
    expect(faultsOf(text)).toEqual([]);
  });

  test.each([
    ['another type', changed('int64 user_id', 'string user_id'), 'GetUserRequest 1 was "int64 user_id"'],
    ['another meaning', changed('int64 user_id', 'int64 group_id'), 'GetUserRequest 1 was'],
    ['a list for one', changed('repeated int64 ids', 'int64 ids'), 'User 2 was "repeated int64 ids"'],
    ['a number that is free again', changed('repeated int64 ids = 2;', ''), 'User 2 was "repeated int64 ids": reserve'],
    ['a field gone that may still be read', changed('repeated int64 ids = 2;', 'reserved 2;'), 'deprecated'],
    [
      'a number of before',
      changed('reserved 2, 9 to 10;', 'reserved 9 to 10; optional bool b = 2;'),
      'GetUserRequest 2 is reserved',
    ],
    [
      'a new field of a request that callers of before do not send',
      changed('user_id = 1;', 'user_id = 1; bool with_email = 3;'),
      'GetUserRequest 3 "bool with_email" is not in requests of before',
    ],
    ['a call gone that is still made', changed('rpc GetUser(GetUserRequest) returns (User);', ''), 'Realm.GetUser was'],
  ])('is misunderstood with %s', (_what, text, fault) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(fault)]);
  });

  test('may be removed once the previous version does not use it', () => {
    expect(faultsOf(changed('rpc GetUser(GetUserRequest) returns (User);', ''), false)).toEqual([]);
  });

  test('is declared by nothing that this test overlooks', () => {
    expect(() => readContract(['enum A { B = 0; }'])).toThrow('not understood');
    expect(() => readContract(['message A { int32 b = 1; int32 c = 1; }'])).toThrow('twice');
  });
});

describe('an event', () => {
  const EVENT = `import type { User } from '../proto';
export interface UserMet {
  user: User;
  readonly seerIds: readonly number[];
  note?: string;
}
export const userMet = declareEvent<UserMet>()('user.met', []);
`;
  const faultsOf = (text: string) => eventFaults(readPayloads([EVENT]), readPayloads([text]));
  const CARRIED = 'message User { int64 id = 1; Name name = 2; } message Name { string first = 1; } message Other {';
  const carriedFaultsOf = (now: string) =>
    carriedFaults(readContract([`${CARRIED}}`]), readContract([now]), readPayloads([EVENT]));

  test.each([
    ['a member that may be absent', EVENT.replace('  note', '  mood?: string;\n  note')],
    ['a member that may be absent from now on', EVENT.replace('seerIds', 'seerIds?')],
    ['a member gone that might be absent', EVENT.replace('  note?: string;\n', '')],
    ['another event beside it', `${EVENT}export interface UserLost {\n  userId: number;\n}\n`],
  ])('is understood with %s', (_what, text) => {
    expect(text).not.toBe(EVENT);
    expect(faultsOf(text)).toEqual([]);
  });

  test.each([
    ['a new member', EVENT.replace('  note', '  mood: string;\n  note'), 'UserMet.mood is not in records'],
    [
      'a new member of what several have in common',
      EVENT.replace(/^export const.*/m, '').replace('  note', '  mood: string;\n  note'),
      'UserMet.mood is not in records',
    ],
    ['a member that was not always there', EVENT.replace('note?', 'note'), 'UserMet.note is not in records'],
    ['a member gone', EVENT.replace('  user: User;\n', ''), 'UserMet.user is expected'],
  ])('is misunderstood with %s', (_what, text, fault) => {
    expect(faultsOf(text)).toEqual([expect.stringContaining(fault)]);
  });

  test('lacks new fields of messages in events, at any depth', () => {
    expect(carriedFaultsOf(`${CARRIED} string text = 1; } message New { string text = 1; }`)).toEqual([]);
    expect(carriedFaultsOf(`${CARRIED}}`.replace('first = 1;', 'first = 1; optional string last = 2;'))).toEqual([]);
    const faults = carriedFaultsOf(`${CARRIED}}`.replace('first = 1;', 'first = 1; string last = 2;'));
    expect(faults).toEqual([expect.stringContaining('Name 2 "string last"')]);
  });
});

describe('the order of an upgrade', () => {
  test('is the one in the documentation for operators', () => {
    expect(textOf('docs/upgrade.md')).toContain(`for service in ${UPGRADE_ORDER.join(' ')}; do`);
  });

  test.each(UPGRADE_ORDER)('has %s after those that it calls, and can be kept', (service) => {
    const addresses = textOf(`services/${service}/src/config.ts`).matchAll(/\b([A-Z]+)_ADDRESS\b/g);
    const called = [...addresses].map(([, name]) => name?.toLowerCase() as ServiceName);
    const earlier = UPGRADE_ORDER.slice(0, UPGRADE_ORDER.indexOf(service));
    expect(called.filter((each) => !earlier.includes(each))).toEqual([]);
    const labels = `labels: { app.kubernetes.io/name: ${service}, parley/serves: `;
    expect(textOf(`k8s/base/${service}.yaml`)).toMatch(
      new RegExp(`kind: Deployment\nmetadata:\n  name: ${service}\n  ${labels}`),
    );
  });

  test('has every service', () => {
    expect([...UPGRADE_ORDER].sort()).toEqual(readdirSync(path.join(ROOT, 'services')).sort());
  });
});

/** A migration file, or the one it is compared with. */
export interface Migration {
  /** services/realm/migrations/000020-name.sql */
  name: string;
  text: string;
}

/** Tables with few rows per organization (not per user, subscription or message): indexing them takes no time. */
const SMALL_TABLES = new Set([
  ...['allowed_domain', 'bot_service', 'channel', 'channel_folder', 'channel_group_setting', 'custom_emoji'],
  ...['custom_emoji_image', 'default_channel_group', 'default_channel_group_channel', 'direct_contact'],
  ...['invitation_count', 'invitation_link', 'inviter', 'linkifier', 'list_change', 'outbox_progress', 'playground'],
  ...['presence_sequence', 'profile_field', 'realm', 'realm_group_setting', 'realm_image', 'retention_run'],
  ...['realm_user_settings_defaults', 'upload_space', 'user_group', 'user_group_setting', 'user_group_subgroup'],
  ...['waiting_period_mark', 'webhook_bot'],
]);

/** Changes that break replicas of the previous version, which serve meanwhile and may come back. */
const TAKES_AWAY: readonly [what: string, pattern: RegExp][] = [
  ['drops', /\bdrop (table|column|view|function|trigger|sequence|type)\b/],
  ['renames', /\brename\b/],
  ['changes the type of a column', /\balter (column )?\w+ (set data )?type\b/],
  ['forbids null', /\bset not null\b/],
  ['forbids what was allowed', /\badd (constraint|check|unique|foreign key|exclude)\b|^create unique index\b/],
];

const MARK = { contracts: /^-- contract: (\S+)/m, isNotTransactional: /^-- migrate: no-transaction\s*$/m };

/** Why a migration must not run while the previous version serves; `earlier` are the migrations of that version. */
export function migrationFaults({ name, text }: Migration, earlier: readonly string[]): string[] {
  const statements = readStatements(text);
  const own = new Set(statements.flatMap((each) => tableIn(each, /^create table (?:if not exists )?(\w+)/)));
  const others = statements.filter((each) => !isAbout(each, own));
  const isContract = contractsEarlier(name, text, earlier);
  return [
    ...(isContract ? [] : others.flatMap(takesAway)),
    ...others.flatMap(addsRequired),
    ...others.flatMap(holdsLongLocks),
    ...repeatsBadly(text, statements),
  ];
}

/** Without comments, in lower case, one statement per line. */
export function readStatements(text: string): string[] {
  const bare = text.replace(/--.*$/gm, '').toLowerCase();
  const pieces = bare.match(/(?:\$\$[\s\S]*?\$\$|'(?:[^']|'')*'|[^;])+/g) ?? [];
  return pieces.map((piece) => piece.replace(/\s+/g, ' ').trim()).filter((piece) => piece !== '');
}

const TABLE_OF = [
  /^alter table (?:if exists )?(?:only )?(\w+)/,
  /^create (?:unique )?index .*? on (?:only )?(\w+)/,
  /^create trigger .*? on (\w+)/,
  /^update (?:only )?(\w+)/,
  /^delete from (?:only )?(\w+)/,
  /^insert into (\w+)/,
];

function tableIn(statement: string, pattern: RegExp): string[] {
  const [, table] = pattern.exec(statement) ?? [];
  return table === undefined ? [] : [table];
}

function isAbout(statement: string, tables: ReadonlySet<string>): boolean {
  return TABLE_OF.some((pattern) => tableIn(statement, pattern).some((table) => tables.has(table)));
}

/** It names a migration of the same folder, since whose version nothing uses what is dropped now. */
function contractsEarlier(name: string, text: string, earlier: readonly string[]): boolean {
  const [, expand] = MARK.contracts.exec(text) ?? [];
  const folder = name.slice(0, name.lastIndexOf('/'));
  return expand !== undefined && earlier.includes(`${folder}/${expand}.sql`);
}

function takesAway(statement: string): string[] {
  if (/^(create (or replace )?function|do)\b/.test(statement)) return [];
  return TAKES_AWAY.filter(([, pattern]) => pattern.test(statement)).map(([what]) => `${what}: ${statement}`);
}

function addsRequired(statement: string): string[] {
  const added = statement.match(/add column (?:if not exists )?(?:\([^)]*\)|[^,(]|\([^)]*\))*/g) ?? [];
  const required = added.filter((each) => /\bnot null\b/.test(each) && !/\b(default|generated)\b/.test(each));
  return required.map((each) => `old replicas do not set it: ${each.trim()}`);
}

function holdsLongLocks(statement: string): string[] {
  if (isAbout(statement, SMALL_TABLES)) return [];
  const isIndex = /^create (unique )?index\b/.test(statement) && !/ concurrently /.test(statement);
  const isRewrite =
    /^alter table\b/.test(statement) && /\bstored\b|default (nextval|random|gen_random|clock)/.test(statement);
  const isSweep = /^(update|delete from)\b/.test(statement);
  const isScan =
    /^alter table\b.*\badd (constraint|check|foreign key)\b/.test(statement) && !/\bnot valid\b/.test(statement);
  return [
    ...(isIndex ? [`writers wait for it, create it concurrently: ${statement}`] : []),
    ...(isRewrite ? [`rewrites the table: ${statement}`] : []),
    ...(isSweep ? [`locks rows by the million, let a chore do it: ${statement}`] : []),
    ...(isScan ? [`reads the whole table under a lock, add it "not valid": ${statement}`] : []),
  ];
}

/** A migration outside of a transaction may be interrupted, and is then run again. */
function repeatsBadly(text: string, statements: readonly string[]): string[] {
  const isAlone = MARK.isNotTransactional.test(text);
  const concurrent = statements.filter((each) => / concurrently /.test(each));
  const isRepeatable = statements.length === 1 && statements.every((each) => / if (not )?exists /.test(each));
  return [
    ...(concurrent.length > 0 && !isAlone ? ['lacks "-- migrate: no-transaction"'] : []),
    ...(isAlone && !isRepeatable ? ['is not one statement with "if (not) exists"'] : []),
  ];
}

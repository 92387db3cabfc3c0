import { composed, onlyRow, type RowOf, type Sql, statement, type Transaction } from '@parley/shared/db';
import { messageShape, type User } from '@parley/shared/proto';
import { ROLES } from '@parley/shared/values';
import { z } from 'zod';

/** SQL for a User as JSON, from a row of `user_account` called `u`. */
export const USER_JSON = `json_strip_nulls(json_build_object(
  'id', u.id, 'realmId', u.realm_id, 'email', u.email, 'deliveryEmail', u.delivery_email, 'fullName', u.full_name,
  'role', u.role, 'isBot', u.is_bot, 'botType', u.bot_type, 'botOwnerId', u.bot_owner_id, 'isActive', u.is_active,
  'timezone', u.timezone, 'avatarSource', u.avatar_source, 'avatarVersion', u.avatar_version,
  'avatarFileName', u.avatar_file_name,
  'emailAddressVisibility', u.email_address_visibility,
  'joinedAtMs', (extract(epoch from u.created_at) * 1000)::bigint,
  'isSystemBot', case when u.system_bot is not null then true end))`;

/** The shape of USER_JSON. */
export const USER = messageShape<User>('realm', 'User');

/** The account; null when the organization has none of that id. */
export async function findUser(sql: Sql, realmId: number, userId: number): Promise<User | null> {
  const [user] = await findUsersByIds(sql, realmId, [userId]);
  return user ?? null;
}

const FIND_BY_IDS = statement(
  `select ${USER_JSON} as user from user_account u where u.realm_id = $1 and u.id = any($2) order by u.id`,
  { user: USER },
);

/** The existing users among the ids, by id. */
export async function findUsersByIds(sql: Sql, realmId: number, userIds: readonly number[]): Promise<User[]> {
  const rows = await sql.query(FIND_BY_IDS, [realmId, userIds]);
  return rows.map(({ user }) => user);
}

const FIND_BY_EMAILS = statement(
  `select ${USER_JSON} as user from user_account u where u.realm_id = $1 and lower(u.email) = any($2) order by u.id`,
  { user: USER },
);

/** The users of these API addresses, in any casing; by id. */
export async function findUsersByEmails(sql: Sql, realmId: number, emails: readonly string[]): Promise<User[]> {
  const rows = await sql.query(FIND_BY_EMAILS, [realmId, emails.map((email) => email.toLowerCase())]);
  return rows.map(({ user }) => user);
}

const FIND_BY_ADDRESSES = statement(
  `select ${USER_JSON} as user from user_account u
   where u.realm_id = $1 and (lower(u.email) = any($2) or lower(u.delivery_email) = any($2)) order by u.id`,
  { user: USER },
);

/** The users of these real or API addresses, in any casing; by id. */
export async function findUsersByAddresses(sql: Sql, realmId: number, emails: readonly string[]): Promise<User[]> {
  const rows = await sql.query(FIND_BY_ADDRESSES, [realmId, emails.map((email) => email.toLowerCase())]);
  return rows.map(({ user }) => user);
}

interface NewUser {
  realmId: number;
  email: string;
  fullName: string;
  fullNameKey: string;
  role: number;
  bot: { type: number; ownerId: number } | null;
  passwordHash: string | null;
  createdAtMs: number;
}

export const EMAIL_IS_UNIQUE = ['user_account_delivery_email_is_unique', 'user_account_email_is_unique'];

const INSERT = statement(
  `insert into user_account (realm_id, delivery_email, email, full_name, full_name_key, role, is_bot, bot_type,
     bot_owner_id, password_hash, created_at)
   values ($1, $2, $2, $3, $4, $5, $6::smallint is not null, $6, $7, $8, to_timestamp($9 / 1000.0))
   returning id`,
  { id: z.number() },
);

/** Creates an account whose address everyone may see; returns its id. Violates EMAIL_IS_UNIQUE when the address is taken. */
export async function insertUser(sql: Sql, user: NewUser): Promise<number> {
  return onlyRow(
    await sql.query(INSERT, [
      user.realmId,
      user.email,
      user.fullName,
      user.fullNameKey,
      user.role,
      user.bot?.type ?? null,
      user.bot?.ownerId ?? null,
      user.passwordHash,
      user.createdAtMs,
    ]),
  ).id;
}

type NewPerson = Pick<NewUser, 'email' | 'fullName' | 'fullNameKey' | 'role'>;

const INSERT_PEOPLE = statement(
  `insert into user_account (realm_id, delivery_email, email, full_name, full_name_key, role, is_bot, created_at)
   select $1, email, email, full_name, full_name_key, role, false, to_timestamp($2 / 1000.0)
   from unnest($3::text[], $4::text[], $5::text[], $6::smallint[]) with ordinality
     as new (email, full_name, full_name_key, role, n) order by n
   returning id, delivery_email as email`,
  { id: z.number(), email: z.string() },
);

/** Creates accounts of people without passwords, whose addresses everyone may see; returns their ids, in order. See insertUser(). */
export async function insertPeople(
  sql: Sql,
  { realmId, createdAtMs }: Pick<NewUser, 'realmId' | 'createdAtMs'>,
  people: readonly NewPerson[],
): Promise<number[]> {
  const made = await sql.query(INSERT_PEOPLE, [
    realmId,
    createdAtMs,
    people.map(({ email }) => email),
    people.map(({ fullName }) => fullName),
    people.map(({ fullNameKey }) => fullNameKey),
    people.map(({ role }) => role),
  ]);
  const idOf = new Map(made.map(({ id, email }) => [email, id]));
  return people.map(({ email }) => idOf.get(email) as number);
}

interface NewBotService {
  realmId: number;
  userId: number;
  payloadUrl: string;
  interface: number;
  token: string;
}

const INSERT_BOT_SERVICE = statement(
  'insert into bot_service (realm_id, user_id, payload_url, interface, token) values ($1, $2, $3, $4, $5)',
);

/** Stores the address that an outgoing webhook bot calls. */
export async function insertBotService(sql: Sql, service: NewBotService): Promise<void> {
  await sql.query(INSERT_BOT_SERVICE, [
    service.realmId,
    service.userId,
    service.payloadUrl,
    service.interface,
    service.token,
  ]);
}

const LOCK = statement('select from user_account where realm_id = $1 and id = $2 for no key update', {});

/** Serializes changes of one account's data, until the transaction ends. */
export async function lockUser(tx: Transaction, realmId: number, userId: number): Promise<void> {
  await tx.query(LOCK, [realmId, userId]);
}

// NOTE: planned for each call: of few roles, an index has the accounts.
const LIST_IDS_OF_ROLES = composed(
  `select id from user_account
   where realm_id = $1 and role = any($2) and is_active and system_bot is null order by id`,
  { id: z.number() },
);

/** Active accounts with those roles, people and bots without system bots; by id. */
export async function listActiveUserIdsOfRoles(sql: Sql, realmId: number, roles: readonly number[]): Promise<number[]> {
  const rows = await sql.query(LIST_IDS_OF_ROLES, [realmId, roles]);
  return rows.map(({ id }) => id);
}

const LIST_ADMINISTRATORS = statement(
  `select id, role from user_account
   where realm_id = $1 and role <= ${ROLES.administrator} and is_active and not is_bot order by id`,
  { id: z.number(), role: z.number() },
);

/** Active people who administer the organization, by id. */
export async function listAdministrators(sql: Sql, realmId: number): Promise<RowOf<typeof LIST_ADMINISTRATORS>[]> {
  return sql.query(LIST_ADMINISTRATORS, [realmId]);
}

export async function listAdministratorIds(sql: Sql, realmId: number): Promise<number[]> {
  return (await listAdministrators(sql, realmId)).map(({ id }) => id);
}

// NOTE: planned for each call: most accounts have one value, and the index is for the others.
const HAS_ADDRESS_OF = composed(
  `select exists (
     select from user_account
     where realm_id = $1 and email_address_visibility = any($2) and id <> $3 and not is_bot) as "isSo"`,
  { isSo: z.boolean() },
);

/** Whether anybody but `exceptId`, active or not, shows their address as one of these settings of `email_address_visibility` says. */
export async function hasAddressOf(
  sql: Sql,
  realmId: number,
  visibilities: readonly number[],
  exceptId: number,
): Promise<boolean> {
  return onlyRow(await sql.query(HAS_ADDRESS_OF, [realmId, visibilities, exceptId])).isSo;
}

interface FullName {
  realmId: number;
  userId: number;
  fullName: string;
  fullNameKey: string;
}

const STORE_FULL_NAME = statement(
  'update user_account set full_name = $3, full_name_key = $4 where realm_id = $1 and id = $2',
);

export async function storeFullName(sql: Sql, { realmId, userId, fullName, fullNameKey }: FullName): Promise<void> {
  await sql.query(STORE_FULL_NAME, [realmId, userId, fullName, fullNameKey]);
}

const GIVE_UP_NAMES = statement(
  `update user_account set full_name_key = '|' || id where realm_id = $1 and id = any($2)`,
);

/** For a transaction in which users exchange names: these are free until storeFullName(). Names cannot end with | and a number. */
export async function giveUpNames(tx: Transaction, realmId: number, userIds: readonly number[]): Promise<void> {
  await tx.query(GIVE_UP_NAMES, [realmId, userIds]);
}

const FIND_NAMESAKE = statement(
  `select from user_account
   where realm_id = $1 and normalize(full_name_key, NFKC) = $2 and id is distinct from $3 limit 1`,
  {},
);

/** Whether an account other than the user's own has the name in any spelling; `key` is normalized (NFKC) and in lower case. */
export async function isFullNameTaken(
  sql: Sql,
  realmId: number,
  key: string,
  holderId: number | null,
): Promise<boolean> {
  const rows = await sql.query(FIND_NAMESAKE, [realmId, key, holderId]);
  return rows.length > 0;
}

const LIST_TAKEN_NAMES = statement(
  `select distinct normalize(full_name_key, NFKC) as key from user_account
   where realm_id = $1 and normalize(full_name_key, NFKC) = any($2)`,
  { key: z.string() },
);

/** Which of the names an account has, in any spelling; keys as for isFullNameTaken(). */
export async function listTakenNames(sql: Sql, realmId: number, keys: readonly string[]): Promise<string[]> {
  const rows = await sql.query(LIST_TAKEN_NAMES, [realmId, keys]);
  return rows.map(({ key }) => key);
}

interface Emails {
  deliveryEmail: string;
  email: string;
}

const STORE_EMAILS = statement(
  'update user_account set delivery_email = $3, email = $4 where realm_id = $1 and id = $2',
);

/** Violates EMAIL_IS_UNIQUE when an address is taken. */
export async function storeEmails(sql: Sql, realmId: number, userId: number, emails: Emails): Promise<void> {
  await sql.query(STORE_EMAILS, [realmId, userId, emails.deliveryEmail, emails.email]);
}

const GIVE_UP_ADDRESSES = statement(
  'update user_account set delivery_email = id::text, email = id::text where realm_id = $1 and id = any($2)',
);

/** For a transaction in which users exchange addresses: these are free until storeEmails(). A number is nobody's address. */
export async function giveUpAddresses(tx: Transaction, realmId: number, userIds: readonly number[]): Promise<void> {
  await tx.query(GIVE_UP_ADDRESSES, [realmId, userIds]);
}

const LIST_ALL = statement(
  `select id, realm_id as "realmId", email, delivery_email as "deliveryEmail", full_name as "fullName", role,
     is_bot as "isBot", bot_type as "botType", bot_owner_id as "botOwnerId", is_active as "isActive", timezone,
     avatar_source as "avatarSource", avatar_version as "avatarVersion", avatar_file_name as "avatarFileName",
     email_address_visibility as "emailAddressVisibility",
     (extract(epoch from created_at) * 1000)::bigint as "joinedAtMs",
     case when system_bot is not null then true end as "isSystemBot"
   from user_account where realm_id = $1 order by id`,
  {
    id: z.number(),
    realmId: z.number(),
    email: z.string(),
    deliveryEmail: z.string(),
    fullName: z.string(),
    role: z.number(),
    isBot: z.boolean(),
    botType: z.number().nullable(),
    botOwnerId: z.number().nullable(),
    isActive: z.boolean(),
    timezone: z.string(),
    avatarSource: z.string(),
    avatarVersion: z.number(),
    avatarFileName: z.string().nullable(),
    emailAddressVisibility: z.number(),
    joinedAtMs: z.number(),
    isSystemBot: z.literal(true).nullable(),
  },
);

/** Every account of the organization, by id. Columns, not JSON: reading many rows is faster. */
export async function listAllUsers(sql: Sql, realmId: number): Promise<User[]> {
  const rows = await sql.query(LIST_ALL, [realmId]);
  return rows.map(withoutNulls);
}

function withoutNulls({ botType, botOwnerId, avatarFileName, isSystemBot, ...row }: RowOf<typeof LIST_ALL>): User {
  return {
    ...row,
    ...(botType !== null && { botType }),
    ...(botOwnerId !== null && { botOwnerId }),
    ...(avatarFileName !== null && { avatarFileName }),
    ...(isSystemBot !== null && { isSystemBot }),
  };
}

import type { Sql, Transaction } from '@parley/shared/db';
import type { User } from '@parley/shared/proto';
import { EMAIL_IS_UNIQUE, findUser } from '../accounts/users.sql';
import { recordChange } from '../audit/with-audit';
import { isUniqueViolation } from '../base/unique-violation';
import type { Context } from '../context';
import { lockRealm } from '../organization/realms.sql';
import { deactivateAccount, isLastOwner } from '../users/deactivate-user';
import { keptAttributes } from './attributes';
import { operationsFromInput, patched } from './patch';
import { type Act, deedOf, idFromInput, type Resource, type Resources, requireVersion, resourceOf } from './resource';
import { judgeRoles } from './roles';
import { notFound, taken } from './scim-error';
import { patchedName, userDocument, userFromDocument, type WantedUser, writableUser } from './user-document';
import {
  findHolder,
  findScimUser,
  listScimUsers,
  removeScimUser,
  USER_NAME_IS_UNIQUE,
  type UserRow,
} from './users.sql';
import { addressOf, changeProvidedAccount, inWordsOfScim, lastOwner, openProvidedAccount } from './write-user';

/** People's accounts as SCIM's Users. All accounts are visible, whoever made them, until the provider deletes them. */
export const users: Resources = {
  async create(ctx, tx, act, document) {
    const wanted = userFromDocument(keptAttributes('User', document));
    const userName = wanted.userName;
    return refusingTaken(wanted, async () => {
      const email = addressOf(wanted);
      const holder = await findHolder(tx, act.realmId, { userName, email });
      if (holder !== null && !holder.isHidden) throw userTaken(wanted);
      const subject = { realmId: act.realmId, kind: 'user' as const, id: holder?.id ?? null, deed: deedOf(act) };
      const { id } = await recordChange(ctx, tx, subject, async () => ({
        id: await (holder === null
          ? openProvidedAccount(ctx, tx, act.realmId, wanted)
          : reviveAccount(ctx, tx, act.realmId, holder.id, wanted)),
      }));
      return toResource(await requireUser(tx, act.realmId, id));
    });
  },

  async get(sql, realmId, id) {
    return toResource(await requireUser(sql, realmId, id));
  },

  async list(sql, realmId, condition, page) {
    const { total, rows } = await listScimUsers(sql, realmId, condition, page);
    return { total, resources: rows.map(toResource) };
  },

  replace(ctx, tx, act, { id, document, versions }) {
    return change(ctx, tx, act, { id, versions, wantedOf: () => userFromDocument(keptAttributes('User', document)) });
  },

  patch(ctx, tx, act, { id, document, versions }) {
    const operations = operationsFromInput('User', document);
    return change(ctx, tx, act, {
      id,
      versions,
      wantedOf(row) {
        const before = writableUser(row);
        const after = patched(before, operations);
        return { ...userFromDocument(after), fullName: patchedName(row, before, after) };
      },
    });
  },

  async remove(ctx, tx, act, { id, versions }) {
    const { realmId } = act;
    await lockRealm(tx, realmId);
    const row = await requireUser(tx, realmId, id);
    requireVersion(versions, toResource(row));
    const user = (await findUser(tx, realmId, row.id)) as User;
    if (await isLastOwner(tx, user)) throw lastOwner();
    await recordChange(ctx, tx, { realmId, kind: 'user', id: row.id, deed: deedOf(act) }, async () => {
      await deactivateAccount(ctx, tx, realmId, row.id);
      await removeScimUser(tx, realmId, row.id);
      return row;
    });
    await judgeRoles(ctx, tx, realmId, { userIds: [row.id], deed: deedOf(act) });
  },
};

/** An account that the provider deleted comes back: active, as the provider wants it now. */
async function reviveAccount(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  userId: number,
  wanted: WantedUser,
): Promise<number> {
  await lockRealm(tx, realmId);
  const isActive = wanted.isActive !== false;
  await changeProvidedAccount(ctx, tx, { realmId, userId }, { ...wanted, email: addressOf(wanted), isActive });
  return userId;
}

interface Change {
  id: string;
  versions: readonly string[];
  wantedOf(row: UserRow): WantedUser;
}

async function change(ctx: Context, tx: Transaction, act: Act, { id, versions, wantedOf }: Change): Promise<Resource> {
  const { realmId } = act;
  await lockRealm(tx, realmId);
  const row = await requireUser(tx, realmId, id);
  requireVersion(versions, toResource(row));
  const wanted = wantedOf(row);
  await refusingTaken(wanted, async () => {
    await refuseTaken(tx, realmId, row, wanted);
    const deed = deedOf(act);
    await recordChange(ctx, tx, { realmId, kind: 'user', id: row.id, deed }, async () => {
      await changeProvidedAccount(ctx, tx, { realmId, userId: row.id }, wanted);
      return row;
    });
  });
  return toResource(await requireUser(tx, realmId, id));
}

/** Refuses a changed name or address of somebody else. */
async function refuseTaken(tx: Transaction, realmId: number, row: UserRow, wanted: WantedUser): Promise<void> {
  const isRenamed = wanted.userName.toLowerCase() !== row.userName.toLowerCase();
  const email = wanted.email ?? row.email;
  const isMoved = email.toLowerCase() !== row.email.toLowerCase();
  if (!isRenamed && !isMoved) return;
  const asked = { userName: isRenamed ? wanted.userName : email, email: isMoved ? email : wanted.userName };
  const holder = await findHolder(tx, realmId, asked);
  if (holder !== null && holder.id !== row.id) throw userTaken(wanted);
}

function userTaken({ userName }: WantedUser) {
  return taken(`There is a user with the userName "${userName}", or with that address`);
}

/** Concurrent requests for one name: the database lets one of them through. */
async function refusingTaken<Result>(wanted: WantedUser, work: () => Promise<Result>): Promise<Result> {
  try {
    return await inWordsOfScim(work);
  } catch (error) {
    const isTaken = [USER_NAME_IS_UNIQUE, ...EMAIL_IS_UNIQUE].some((index) => isUniqueViolation(error, index));
    throw isTaken ? userTaken(wanted) : error;
  }
}

function toResource(row: UserRow): Resource {
  return resourceOf(userDocument(row));
}

async function requireUser(sql: Sql, realmId: number, id: number | string): Promise<UserRow> {
  const userId = typeof id === 'number' ? id : idFromInput(id);
  const row = userId === null ? null : await findScimUser(sql, realmId, userId);
  if (row === null) throw notFound('User', String(id));
  return row;
}

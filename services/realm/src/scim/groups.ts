import type { Sql, Transaction } from '@parley/shared/db';
import { recordChange } from '../audit/with-audit';
import type { Context } from '../context';
import { lockRealm } from '../organization/realms.sql';
import { type Document, keptAttributes } from './attributes';
import { groupFromDocument, groupResource, type WantedGroup } from './group-document';
import { findScimGroup, type GroupRow, listScimGroups, storeScimGroup } from './groups.sql';
import { type MembersChange, memberIdsFromInput, membersChange } from './members';
import { operationsFromInput, patched } from './patch';
import { type Act, deedOf, idFromInput, type Resources, requireVersion } from './resource';
import { judgeRoles } from './roles';
import { listConcerned } from './roles.sql';
import { notFound } from './scim-error';
import { changeMembers, closeGroup, openProvidedGroup, renameGroup } from './write-group';
import { inWordsOfScim } from './write-user';

const NO_IDS: ReadonlySet<number> = new Set();

/** User groups as SCIM's Groups: all but the system groups and deactivated ones, with the people directly in them. */
export const groups: Resources = {
  async create(ctx, tx, act, document) {
    const { realmId } = act;
    const kept = keptAttributes('Group', document);
    const wanted = groupFromDocument(kept);
    const members = membersOf(kept);
    await lockRealm(tx, realmId);
    const place = { realmId, nowMs: ctx.clock.now() };
    const deed = deedOf(act);
    let concernedIds: number[] = [];
    const { id } = await recordChange(ctx, tx, { realmId, kind: 'group', id: null, deed }, () =>
      inWordsOfScim(async () => {
        const groupId = await openProvidedGroup(tx, place, wanted.displayName);
        await storeScimGroup(tx, { realmId, groupId, externalId: wanted.externalId, isRemoved: false });
        concernedIds = await changeMembers(tx, place, groupId, members);
        return { id: groupId };
      }),
    );
    await judgeRoles(ctx, tx, realmId, { userIds: concernedIds, deed });
    return groupResource(await requireGroup(tx, realmId, id, true));
  },

  async get(sql, realmId, id, isSelected) {
    return groupResource(await requireGroup(sql, realmId, id, isSelected('members')));
  },

  async list(sql, realmId, condition, { isSelected, ...page }) {
    const hasMembers = isSelected('members');
    const { total, rows } = await listScimGroups(sql, realmId, condition, { ...page, hasMembers });
    return { total, resources: rows.map(groupResource) };
  },

  async replace(ctx, tx, act, { id, document, versions }) {
    const kept = keptAttributes('Group', document);
    const wanted = groupFromDocument(kept);
    const row = await change(ctx, tx, act, { id, versions, wantedOf: () => wanted, members: membersOf(kept) });
    return groupResource(await requireGroup(tx, act.realmId, row.id, true));
  },

  async patch(ctx, tx, act, { id, document, versions }) {
    const operations = operationsFromInput('Group', document);
    const onMembers = operations.filter(({ path }) => path.name === 'members');
    const others = operations.filter(({ path }) => path.name !== 'members');
    await change(ctx, tx, act, {
      id,
      versions,
      wantedOf: ({ name, externalId }) =>
        groupFromDocument(patched({ displayName: name, ...(externalId !== null && { externalId }) }, others)),
      members: membersChange(onMembers),
    });
    // A group may have many members: the provider knows what it has changed.
    return null;
  },

  async remove(ctx, tx, act, { id, versions }) {
    const { realmId } = act;
    await lockRealm(tx, realmId);
    const row = await requireGroup(tx, realmId, id, false);
    requireVersion(versions, groupResource(row));
    const deed = deedOf(act);
    let concernedIds: number[] = [];
    await recordChange(ctx, tx, { realmId, kind: 'group', id: row.id, deed }, async () => {
      concernedIds = await closeGroup(ctx, tx, realmId, row);
      return row;
    });
    await judgeRoles(ctx, tx, realmId, { userIds: concernedIds, deed });
  },
};

function membersOf(kept: Document): MembersChange {
  return { replaced: memberIdsFromInput(kept['members']), added: NO_IDS, removed: NO_IDS };
}

interface Change {
  id: string;
  versions: readonly string[];
  wantedOf(row: GroupRow): WantedGroup;
  members: MembersChange;
}

async function change(
  ctx: Context,
  tx: Transaction,
  act: Act,
  { id, versions, wantedOf, members }: Change,
): Promise<GroupRow> {
  const { realmId } = act;
  await lockRealm(tx, realmId);
  const row = await requireGroup(tx, realmId, id, false);
  requireVersion(versions, groupResource(row));
  const wanted = wantedOf(row);
  const deed = deedOf(act);
  let concernedIds: readonly number[] = [];
  await recordChange(ctx, tx, { realmId, kind: 'group', id: row.id, deed }, () =>
    inWordsOfScim(async () => {
      const isRenamed = await renameGroup(tx, realmId, row, wanted.displayName);
      await storeScimGroup(tx, { realmId, groupId: row.id, externalId: wanted.externalId, isRemoved: false });
      const changedIds = await changeMembers(tx, { realmId, nowMs: ctx.clock.now() }, row.id, members);
      concernedIds = isRenamed
        ? [...changedIds, ...(await listConcerned(tx, realmId, wanted.displayName))]
        : changedIds;
      return row;
    }),
  );
  await judgeRoles(ctx, tx, realmId, { userIds: [...new Set(concernedIds)], deed });
  return row;
}

async function requireGroup(sql: Sql, realmId: number, id: number | string, hasMembers: boolean): Promise<GroupRow> {
  const groupId = typeof id === 'number' ? id : idFromInput(id);
  const row = groupId === null ? null : await findScimGroup(sql, realmId, groupId, hasMembers);
  if (row === null) throw notFound('Group', String(id));
  return row;
}

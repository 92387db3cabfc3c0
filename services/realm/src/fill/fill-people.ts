import type { Transaction } from '@parley/shared/db';
import { memoized, PRESENCE } from '@parley/shared/values';
import { MARKDOWN_TYPES } from '../accounts/shown-profile';
import { FIELD_TYPES } from '../base/field-types';
import { nameKey } from '../base/name-key';
import { insertProfileField, listProfileFieldsOf } from '../profiles/profile-fields.sql';
import {
  type AccountRow,
  insertAccounts,
  insertGroupLinks,
  insertGroupMembers,
  insertGroups,
  insertPresences,
  insertProfileValues,
  insertUnknownKeys,
} from './fill.sql';
import type { Filling } from './fill-realm';
import { type PlannedAccount, type PlannedProfile, planAccounts, planGroups, planProfiles } from './plan-people';
import { renderPlain } from './render-plain';

/** A planned account with its id. */
export type FilledAccount = PlannedAccount & { id: number };

/** Within the time of which presences are listed. */
const MINUTES_OF_PRESENCE = (PRESENCE.historyDays - 1) * 24 * 60;

/** Creates people, their bots and profile values. */
export async function fillAccounts(tx: Transaction, filling: Filling): Promise<FilledAccount[]> {
  const { realmId, nowMs, size, random } = filling;
  const { people, bots } = planAccounts(size.users, random);
  const peopleIds = await insertAccounts(
    tx,
    realmId,
    nowMs,
    people.map((person) => toRow(person, null)),
  );
  const ownerOf = (bot: PlannedAccount) => peopleIds[bot.bot?.owner as number] as number;
  const botIds = await insertAccounts(
    tx,
    realmId,
    nowMs,
    bots.map((bot) => toRow(bot, ownerOf(bot))),
  );
  await fillProfiles(tx, realmId, peopleIds, planProfiles(people.length, random));
  await insertUnknownKeys(tx, realmId, [...peopleIds, ...botIds], nowMs);
  const seen = people.flatMap(({ isActive }, index) =>
    isActive ? [{ userId: peopleIds[index] as number, minutesAgo: random.below(MINUTES_OF_PRESENCE) }] : [],
  );
  await insertPresences(tx, realmId, nowMs, seen);
  return [
    ...people.map((account, index) => ({ ...account, id: peopleIds[index] as number })),
    ...bots.map((account, index) => ({ ...account, id: botIds[index] as number })),
  ];
}

function toRow(
  { email, fullName, role, isActive, timezone, joinedDaysAgo, bot }: PlannedAccount,
  ownerId: number | null,
) {
  const row: AccountRow = {
    email,
    full_name: fullName,
    full_name_key: nameKey(fullName),
    role,
    bot_type: bot?.type ?? null,
    bot_owner_id: ownerId,
    is_active: isActive,
    timezone,
    days: joinedDaysAgo,
  };
  return row;
}

async function fillProfiles(
  tx: Transaction,
  realmId: number,
  userIds: readonly number[],
  profiles: readonly PlannedProfile[],
): Promise<void> {
  const known = new Set((await listProfileFieldsOf(tx, realmId)).map(({ name }) => name));
  const fields: [name: string, type: number, textOf: (profile: PlannedProfile) => string | null][] = [
    ['Team', FIELD_TYPES.shortText, ({ team }) => team],
    ['Pronouns', FIELD_TYPES.pronouns, ({ pronouns }) => pronouns],
    ['Manager', FIELD_TYPES.people, ({ manager }) => (manager === null ? null : `[${userIds[manager]}]`)],
  ];
  const rendered = memoized((text: string) => renderPlain(text, 'blocks'));
  for (const [name, type, textOf] of fields) {
    // The organization's own field of that name may have another type.
    if (known.has(name)) continue;
    const fieldId = await insertProfileField(tx, realmId, {
      type,
      name,
      hint: '',
      fieldData: '',
      isInSummary: false,
      isRequired: false,
      isEditableByUser: true,
    });
    const values = profiles.flatMap((profile, index) => {
      const value = textOf(profile);
      const html = value !== null && MARKDOWN_TYPES.includes(type) ? rendered(value) : null;
      return value === null ? [] : [{ userId: userIds[index] as number, value, html }];
    });
    await insertProfileValues(tx, realmId, fieldId, values);
  }
}

/** Creates user groups, some inside others. */
export async function fillGroups(
  tx: Transaction,
  { realmId, ownerId, nowMs, size, random }: Filling,
  accounts: readonly FilledAccount[],
): Promise<void> {
  const groups = planGroups(size.groups, [...accounts.keys()], random);
  const rows = groups.map(({ name, description }) => ({ name, name_key: nameKey(name), description }));
  const groupIds = await insertGroups(tx, realmId, { creatorId: ownerId, nowMs }, rows);
  const idOf = (index: number) => groupIds[index] as number;
  const members = groups.flatMap((group, index) =>
    group.members.map((account) => ({ groupId: idOf(index), userId: (accounts[account] as FilledAccount).id })),
  );
  await insertGroupMembers(tx, realmId, members);
  const links = groups.flatMap(({ parent }, index) =>
    parent === null ? [] : [{ groupId: idOf(parent), subgroupId: idOf(index) }],
  );
  await insertGroupLinks(tx, realmId, links);
}

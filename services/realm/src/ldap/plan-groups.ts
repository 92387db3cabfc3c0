import { Slices } from '@parley/shared/batch';
import type { MembersFromOutside } from '../directory/outside-memberships';
import type { OutsideMember } from '../directory/outside-memberships.sql';
import type { DirectorySettings } from './directory-settings';
import { dnKey } from './distinguished-names';
import { groupIdsOf, isSameRole, type RoleState, roleByRules } from './group-rules';
import type { Identity } from './identities.sql';
import type { DirectoryPerson } from './people';
import type { DirectoryGroup } from './read-groups';

/** Members of one group that change in one transaction. */
const MEMBERS_AT_ONCE = 100;

/** An active account, and its entry. */
export interface Known {
  identity: Identity;
  person: DirectoryPerson;
}

export interface GroupPlan {
  memberships: MembersFromOutside[];
  roles: (Known & { after: RoleState })[];
}

interface GroupFacts {
  known: readonly Known[];
  groups: readonly DirectoryGroup[];
  rules: Pick<DirectorySettings, 'groupRules' | 'roleRules'>;
  /** The rules' groups that can have members from outside. */
  fillableIds: readonly number[];
  members: readonly OutsideMember[];
}

/** The memberships and roles that a sync would change; only accounts whose entries were read are judged. */
export async function planGroups({ known, groups, rules, fillableIds, members }: GroupFacts): Promise<GroupPlan> {
  // No deadline: reading has one.
  const slices = new Slices(Number.POSITIVE_INFINITY);
  const namesOf = await groupNamesOf(known, groups, slices);
  const roles: GroupPlan['roles'] = [];
  const wanted = new Map<number, Set<number>>();
  for (const each of known) {
    await slices.pause();
    const { identity } = each;
    const names = namesOf.get(each) ?? NOTHING;
    const after = roleByRules(names, rules, identity);
    if (!isSameRole(after, identity)) roles.push({ ...each, after });
    for (const groupId of groupIdsOf(names, rules)) added(wanted, groupId).add(identity.userId);
  }
  const knownIds = new Set(known.map(({ identity }) => identity.userId));
  const leaving = new Map<number, Set<number>>();
  for (const { groupId, userId, isOwn, isOthers } of members) {
    await slices.pause();
    const isWanted = wanted.get(groupId)?.has(userId) ?? false;
    // Members by hand, and those whom this source has put in, need no change.
    if (isWanted && (isOwn || !isOthers)) wanted.get(groupId)?.delete(userId);
    if (isOwn && !isWanted && knownIds.has(userId)) added(leaving, groupId).add(userId);
  }
  const left = [...leaving].flatMap(([groupId, ids]) =>
    portionsOf(ids).map((removedIds) => ({ groupId, addedIds: [], removedIds })),
  );
  const joined = fillableIds.flatMap((groupId) =>
    portionsOf(wanted.get(groupId) ?? []).map((addedIds) => ({ groupId, addedIds, removedIds: [] })),
  );
  return { memberships: [...left, ...joined], roles };
}

const NOTHING: ReadonlySet<string> = new Set();

/** The names of the groups in which accounts are. */
async function groupNamesOf(known: readonly Known[], groups: readonly DirectoryGroup[], slices: Slices) {
  const byDn = new Map<string, Known>();
  const byUid = new Map<string, Known>();
  for (const each of known) {
    await slices.pause();
    byDn.set(dnKey(each.person.dn), each);
    if (each.person.uid !== '') byUid.set(each.person.uid.toLowerCase(), each);
  }
  const namesOf = new Map<Known, Set<string>>();
  const note = (each: Known | undefined, names: readonly string[]) => {
    for (const name of each ? names : []) added(namesOf, each as Known).add(name);
  };
  for (const { names, memberDns, memberUids } of groups) {
    for (const dn of memberDns) {
      await slices.pause();
      note(byDn.get(dnKey(dn)), names);
    }
    for (const uid of memberUids) {
      await slices.pause();
      note(byUid.get(uid.toLowerCase()), names);
    }
  }
  return namesOf;
}

function added<Key, Value>(sets: Map<Key, Set<Value>>, key: Key): Set<Value> {
  const set = sets.get(key) ?? new Set<Value>();
  sets.set(key, set);
  return set;
}

function portionsOf(ids: Iterable<number>): number[][] {
  const all = [...ids];
  const count = Math.ceil(all.length / MEMBERS_AT_ONCE);
  return Array.from({ length: count }, (_each, n) => all.slice(n * MEMBERS_AT_ONCE, (n + 1) * MEMBERS_AT_ONCE));
}

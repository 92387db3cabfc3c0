import type { Entry, Filter } from 'ldapts';
import { type Directory, explained } from './connect';
import type { UsedDirectory } from './directories';
import { DirectoryError } from './directory-error';
import { parseFilter } from './filters';
import { groupNameKey, namesInRules } from './group-rules';
import { ldapts } from './ldapts';
import { type DirectoryPerson, valuesOf } from './people';

/** A group of the directory that a rule names. */
export interface DirectoryGroup {
  names: string[];
  memberDns: string[];
  memberUids: string[];
}

/** A result of reading groups. */
export interface Answer<Found> {
  /** Null: no credible answer, so memberships stay as they are. */
  found: Found | null;
  /** Why; empty: nothing went wrong. */
  fault: string;
}

const UNDECIDED = { found: null, fault: '' };
const DN_ATTRIBUTES = ['member', 'uniqueMember'];
const UID_ATTRIBUTE = 'memberUid';
const MEMBER_ATTRIBUTES = [...DN_ATTRIBUTES, UID_ATTRIBUTE];
/** Groups may be large. */
const PAGE_SIZE = 20;
/** Members of all groups together. */
const MAX_MEMBERS = 500_000;
const NO_MEMBERS = 'the directory answers no members of groups: nobody joins or leaves one';

/** The groups that rules name, with their members; they never make the people's sync fail. */
export function readGroups(directory: Directory, settings: UsedDirectory): Promise<Answer<DirectoryGroup[]>> {
  return believable(settings, [], async () => {
    const groups: DirectoryGroup[] = [];
    let count = 0;
    const options = {
      scope: 'sub' as const,
      filter: groupsFilter(settings),
      attributes: ['cn', ...MEMBER_ATTRIBUTES],
      paged: { pageSize: PAGE_SIZE },
    };
    await directory.searchPages(settings.groupBase, options, (entries) => {
      for (const entry of entries) {
        const group = groupOf(entry);
        count += group.memberDns.length + group.memberUids.length;
        if (count > MAX_MEMBERS) throw new DirectoryError('too-much', `groups have more than ${MAX_MEMBERS} members`);
        groups.push(group);
      }
    });
    return count === 0 ? null : groups;
  });
}

/** The names of a person's groups, among those that rules name. */
export function readOwnGroups(
  directory: Directory,
  settings: UsedDirectory,
  { dn, uid }: DirectoryPerson,
): Promise<Answer<Set<string>>> {
  return believable(settings, new Set(), async () => {
    const { EqualityFilter, PresenceFilter } = ldapts();
    const search = (conditions: Filter[], attributes: string[]) =>
      directory.search(settings.groupBase, {
        scope: 'sub',
        filter: groupsFilter(settings, ...conditions),
        attributes,
      });
    const own = DN_ATTRIBUTES.map((attribute): Filter => new EqualityFilter({ attribute, value: dn }));
    if (uid !== '') own.push(new EqualityFilter({ attribute: UID_ATTRIBUTE, value: uid }));
    const entries = await search(own, ['cn']);
    if (entries.length > 0) return new Set(entries.flatMap(namesOf));
    // Whether nobody at all is in a group, as where the service account must not read members.
    const anybody = MEMBER_ATTRIBUTES.map((attribute) => new PresenceFilter({ attribute }));
    return (await search(anybody, ['1.1'])).length > 0 ? new Set() : null;
  });
}

/** `none`: the answer where there are no rules. */
async function believable<Found>(
  settings: UsedDirectory,
  none: Found,
  read: () => Promise<Found | null>,
): Promise<Answer<Found>> {
  if (settings.groupBase === '') return UNDECIDED;
  if (namesInRules(settings).length === 0) return { found: none, fault: '' };
  try {
    const found = await read();
    return { found, fault: found === null ? NO_MEMBERS : '' };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { found: null, fault: `groups: ${explained(error).message}` };
  }
}

/** The groups that rules name, and to which one of the conditions applies. */
function groupsFilter(settings: UsedDirectory, ...conditions: Filter[]): Filter {
  const { AndFilter, OrFilter, EqualityFilter } = ldapts();
  const names = namesInRules(settings).map((value) => new EqualityFilter({ attribute: 'cn', value }));
  const filters = [parseFilter(settings.groupFilter), new OrFilter({ filters: names })];
  if (conditions.length > 0) filters.push(new OrFilter({ filters: conditions }));
  return new AndFilter({ filters });
}

function groupOf(entry: Entry): DirectoryGroup {
  // NOTE: Active Directory answers the members of large groups in parts, the first as member;range=0-1499.
  if (Object.keys(entry).some((name) => /;range=/i.test(name))) {
    throw new DirectoryError('too-much', `the server answers only some members of ${entry.dn}`);
  }
  return {
    names: namesOf(entry),
    memberDns: DN_ATTRIBUTES.flatMap((name) => textsOf(entry, name)),
    memberUids: textsOf(entry, UID_ATTRIBUTE),
  };
}

function namesOf(entry: Entry): string[] {
  return textsOf(entry, 'cn').map(groupNameKey);
}

function textsOf(entry: Entry, attribute: string): string[] {
  return valuesOf(entry, attribute).filter((value): value is string => typeof value === 'string');
}

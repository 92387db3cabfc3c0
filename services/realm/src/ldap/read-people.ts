import { type DirectoryLimits, withDirectory } from './connect';
import type { UsedDirectory } from './directories';
import { DirectoryError } from './directory-error';
import { parseFilter } from './filters';
import { attributesOf, type DirectoryPerson, personOf } from './people';
import { type Answer, type DirectoryGroup, readGroups } from './read-groups';

/** Less than a call between services may take. */
export const READ_LIMITS: DirectoryLimits = { connectMs: 3_000, requestMs: 8_000, totalMs: 11_000 };
const PAGE_SIZE = 500;
const MAX_PEOPLE = 200_000;

export interface Read {
  people: DirectoryPerson[];
  /** Entries without the stable id. */
  withoutId: number;
  groups: Answer<DirectoryGroup[]>;
}

/** Everybody in the directory, and the groups that rules name; throws DirectoryError unless all people were read. */
export function readPeople(settings: UsedDirectory): Promise<Read> {
  return withDirectory(settings, READ_LIMITS, async (directory) => {
    await directory.bindService(settings);
    const read: Read = { people: [], withoutId: 0, groups: await readGroups(directory, settings) };
    const options = {
      scope: 'sub' as const,
      filter: parseFilter(settings.userFilter),
      attributes: attributesOf(settings),
      paged: { pageSize: PAGE_SIZE },
    };
    await directory.searchPages(settings.userBase, options, (entries) => {
      for (const entry of entries) {
        const person = personOf(entry, settings);
        if (person) read.people.push(person);
        else read.withoutId += 1;
      }
      if (read.people.length + read.withoutId > MAX_PEOPLE) {
        throw new DirectoryError('too-much', `the directory has more than ${MAX_PEOPLE} people`);
      }
    });
    return read;
  });
}

import { knownPeople } from '../../store/known-people';
import type { Channel } from '../../store/model';
import { type Group, readSettings } from '../../store/settings-state';
import { groupName } from './names';

/** Something that can be chosen. */
export interface Option {
  kind: 'person' | 'group' | 'channel';
  id: number;
  label: string;
  /** Distinguishes it from others of the same name. */
  detail?: string;
}

const MOST = 8;

/** Options with a word that begins so first, then those that contain it. */
export function matching<Item>(items: readonly Item[], nameOf: (item: Item) => string, words: string): Item[] {
  const wanted = words.trim().toLowerCase();
  const first: Item[] = [];
  const others: Item[] = [];
  for (const item of items) {
    const name = nameOf(item).toLowerCase();
    const at = name.indexOf(wanted);
    if (at >= 0) (at === 0 || name.includes(` ${wanted}`) ? first : others).push(item);
    if (first.length >= MOST) break;
  }
  return [...first, ...others].slice(0, MOST);
}

export function personOptions(words: string): Option[] {
  return matching(knownPeople.value, ({ full_name, email }) => `${full_name} ${email}`, words).map(
    ({ user_id: id, full_name: label, email: detail }) => ({ kind: 'person', id, label, detail }),
  );
}

export function channelOptions(words: string): Option[] {
  const { streams, subscriptions } = readSettings('channels');
  const ids = new Set(subscriptions.map(({ stream_id: id }) => id));
  const all: Channel[] = [...subscriptions, ...streams.filter(({ stream_id: id }) => !ids.has(id))];
  const open = all.filter(({ is_archived: isArchived }) => !isArchived);
  return matching(open, ({ name }) => name, words).map(({ stream_id: id, name }) => ({
    ...{ kind: 'channel', id, label: `#${name}` },
  }));
}

export function groupOptions(words: string, isAllowed: (group: Group) => boolean): Option[] {
  const { realm_user_groups: groups } = readSettings();
  return matching(groups.filter(isAllowed), groupName, words).map((group) => ({
    ...{ kind: 'group', id: group.id, label: groupName(group) },
  }));
}

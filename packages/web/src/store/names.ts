import type { Names } from '../narrow/search-words';
import { channelName, type Person, person, read, registration, versionOf } from './model';

/** How channels and people are named in searches and mentions. */
export const names: Names = {
  channelName,
  channelId(name) {
    const folded = name.toLowerCase();
    const { subscriptions, streams } = read('channels');
    return [...subscriptions, ...(streams ?? [])].find((each) => each.name.toLowerCase() === folded)?.stream_id;
  },
  personName(id) {
    const name = person(id)?.full_name ?? String(id);
    return (peopleNamed(name)?.length ?? 0) > 1 ? `${name}|${id}` : name;
  },
  personId(name) {
    const [, id] = /\|(\d+)$/.exec(name) ?? [];
    if (id !== undefined) return Number(id);
    const isMe = name.toLowerCase() === 'me';
    return isMe ? read().user_id : (peopleNamed(name)?.[0]?.user_id ?? personWithAddress(name)?.user_id);
  },
};

let byName: { version: number; registration: number; people: Map<string, Person[]> } | undefined;

/** Made once for each change of people, because the list of an organization is long. */
function peopleNamed(name: string): Person[] | undefined {
  const { realm_users: users } = read('people');
  const version = versionOf('people');
  if (byName?.version !== version || byName.registration !== registration.value) {
    const people = new Map<string, Person[]>();
    for (const each of users) {
      const key = each.full_name.toLowerCase();
      people.set(key, [...(people.get(key) ?? []), each]);
    }
    byName = { version, registration: registration.value, people };
  }
  return byName.people.get(name.toLowerCase());
}

function personWithAddress(address: string): Person | undefined {
  return read('people').realm_users.find(({ email }) => email === address);
}

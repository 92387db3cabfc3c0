import { ROLES, type Role, type SeededRandom } from '@parley/shared/values';
import { BOT_NAMES, FIRST_NAMES, LAST_NAMES, PRONOUNS, TEAMS, TIMEZONES } from './sample-words';

const INCOMING_WEBHOOK = 2;
const GENERIC = 1;
const MAX_DAYS = 3 * 365;

/** An account of a filled organization. */
export interface PlannedAccount {
  email: string;
  fullName: string;
  role: Role;
  isActive: boolean;
  timezone: string;
  joinedDaysAgo: number;
  /** Null: a person's. The owner is named by place among the planned people. */
  bot: { type: number; owner: number } | null;
}

/** What people say in their profiles; a manager is named by place among the planned people. */
export interface PlannedProfile {
  team: string;
  pronouns: string | null;
  manager: number | null;
}

/** Accounts of people, the first one an active member, and then those of bots, each of which an active person owns. */
export function planAccounts(
  count: number,
  random: SeededRandom,
): { people: PlannedAccount[]; bots: PlannedAccount[] } {
  const botCount = Math.floor(count * 0.02);
  const people = Array.from({ length: count - botCount }, (_, index) => planPerson(index, random));
  const owners = [...people.keys()].filter((index) => mayOwnBots(people[index] as PlannedAccount));
  const bots = Array.from({ length: botCount }, (_, index) => planBot(index, random.pick(owners), random));
  return { people, bots };
}

function planPerson(index: number, random: SeededRandom): PlannedAccount {
  const [first, last] = [random.pick(FIRST_NAMES), random.pick(LAST_NAMES)];
  return {
    email: `${first}.${last}.${index + 1}@example.com`.toLowerCase(),
    fullName: `${first} ${last}`,
    role: index === 0 ? ROLES.member : pickRole(random),
    isActive: index === 0 || !random.happens(0.05),
    timezone: random.pick(TIMEZONES),
    joinedDaysAgo: random.below(MAX_DAYS),
    bot: null,
  };
}

function pickRole(random: SeededRandom): Role {
  const place = random.next();
  if (place < 0.002) return ROLES.administrator;
  if (place < 0.01) return ROLES.moderator;
  return place < 0.06 ? ROLES.guest : ROLES.member;
}

function mayOwnBots({ isActive, role }: PlannedAccount): boolean {
  return isActive && role !== ROLES.guest;
}

function planBot(index: number, owner: number, random: SeededRandom): PlannedAccount {
  const name = random.pick(BOT_NAMES);
  return {
    email: `${name}-${index + 1}-bot@example.com`.toLowerCase(),
    fullName: `${name} Bot ${index + 1}`,
    role: ROLES.member,
    isActive: true,
    timezone: '',
    joinedDaysAgo: random.below(MAX_DAYS),
    bot: { type: random.happens(0.5) ? INCOMING_WEBHOOK : GENERIC, owner },
  };
}

/** One profile for each of so many people; managers are ahead of those whom they manage. */
export function planProfiles(count: number, random: SeededRandom): PlannedProfile[] {
  return Array.from({ length: count }, (_, index) => ({
    team: random.pick(TEAMS),
    pronouns: random.happens(0.6) ? random.pick(PRONOUNS) : null,
    manager: index > 0 && random.happens(0.8) ? random.below(Math.ceil(index / 8)) : null,
  }));
}

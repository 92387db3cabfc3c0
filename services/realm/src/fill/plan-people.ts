import { ROLES, type Role, type SeededRandom } from '@parley/shared/values';

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
  /** Null: a person. The owner is an index of the planned people. */
  bot: { type: number; owner: number } | null;
}

/** Profile values of a person; a manager is an index of the planned people. */
export interface PlannedProfile {
  team: string;
  pronouns: string | null;
  manager: number | null;
}

/** Accounts of people, the first one an active member, then of bots, each owned by an active person. */
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

/** Profiles of that many people; managers come before those they manage. */
export function planProfiles(count: number, random: SeededRandom): PlannedProfile[] {
  return Array.from({ length: count }, (_, index) => ({
    team: random.pick(TEAMS),
    pronouns: random.happens(0.6) ? random.pick(PRONOUNS) : null,
    manager: index > 0 && random.happens(0.8) ? random.below(Math.ceil(index / 8)) : null,
  }));
}

/** A user group of a filled organization; members are indexes of its accounts, the containing group an index of the groups. */
interface PlannedGroup {
  name: string;
  description: string;
  members: number[];
  parent: number | null;
}

/** Groups from large to small; every third is inside an earlier one, so that no group is ever inside itself. */
export function planGroups(count: number, accounts: readonly number[], random: SeededRandom): PlannedGroup[] {
  return Array.from({ length: count }, (_, index) => {
    const name = nameOf(index);
    const size = Math.max(1, Math.ceil(accounts.length / (4 * (index + 1))));
    const members = random.sample(accounts, size);
    const parent = index > 0 && random.happens(1 / 3) ? random.below(index) : null;
    return { name, description: `The ${name} group`, members, parent };
  });
}

function nameOf(index: number): string {
  const round = Math.floor(index / TEAMS.length);
  const team = TEAMS[index % TEAMS.length] as string;
  return round === 0 ? team : `${team} ${round + 1}`;
}

/** Names of people, channels and groups in filled organizations. */

const words = (text: string) => text.split(' ');

const FIRST_NAMES = words(
  'Ada Amir Ana Aylin Bea Ben Carla Chen Dalia Dan Elif Emil Eva Farid Fatima Finn Gita Hana Hugo Ines Ivan Jana Jon Kai ' +
    'Kemal Lena Liam Lucia Malik Maria Mateo Mei Mina Nadia Nils Noor Olga Omar Paula Pavel Priya Rafael Rosa Ruth Samir ' +
    'Sofia Tariq Tomas Uma Vera Viktor Wanda Wei Xenia Yara Yusuf Zeno Zoe',
);

const LAST_NAMES = words(
  'Abbas Adler Almeida Arslan Bauer Becker Berg Bianchi Bruno Castro Chandra Costa Demir Dubois Eriksen Esposito Fischer ' +
    'Fontaine Garcia Gomez Haddad Hansen Hoffmann Ibrahim Ito Jensen Kaya Keller Khan Kim Kowalski Larsen Lehmann Lopez ' +
    'Marino Martin Meyer Moreau Nakamura Nguyen Novak Okafor Olsen Ozturk Park Patel Petrov Popov Ramos Ricci Rossi Sato ' +
    'Schmidt Silva Singh Sokolov Suzuki Tanaka Torres Vargas Weber Yilmaz Zhang',
);

const TIMEZONES = words(
  'Europe/Berlin Europe/Istanbul Europe/Lisbon America/New_York America/Sao_Paulo Asia/Kolkata Asia/Tokyo Africa/Lagos',
);

const PRONOUNS = ['she/her', 'he/him', 'they/them'];

export const TEAMS = words(
  'design engineering support sales finance people legal research marketing operations security data mobile web platform ' +
    'docs quality infrastructure partners events',
);

export const CHANNEL_PURPOSES = words(
  'team help announcements reviews planning incidents releases random feedback hiring metrics budget travel social ideas ' +
    'standup retro on-call vendors experiments onboarding training news archive tools',
);

const BOT_NAMES = words('Build Deploy Calendar Survey Alert Ticket Weather Standup Review Backup');

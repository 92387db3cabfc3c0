import type { SeededRandom } from '@parley/shared/values';
import { TEAMS } from './sample-words';

/** A user group of a filled organization: members by place among its accounts, the group around it by place among the groups. */
export interface PlannedGroup {
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

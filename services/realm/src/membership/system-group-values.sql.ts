import { SYSTEM_GROUPS } from './system-groups';

const text = (value: string | null) => (value === null ? 'null' : `'${value}'`);

const ROWS = SYSTEM_GROUPS.map(
  ({ name, directRole, subgroup, widestStanding }) =>
    `(${text(name)}, ${directRole}::integer, ${text(subgroup)}, ${widestStanding}::integer)`,
);

/** SQL for the table `system_group`: the constants of system-groups.ts. */
export const SYSTEM_GROUP_VALUES = `(values ${ROWS.join(', ')})
  as system_group (name, direct_role, subgroup, widest_standing)`;

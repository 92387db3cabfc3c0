import { readSettings } from '../../store/settings-state';
import { settingsTexts } from '../../texts/settings-texts';
import { refusal } from './form-dialog';
import { groupName, groupNameOf } from './names';
import { roleChoices, roleName } from './roles';

// The meaning of values of a provider's claims, as lines of text: `value = group` or `value = role`.

interface GroupRule {
  value: string;
  group_id: number;
}

interface RoleRule {
  value: string;
  role: number;
}

export function writeGroupRules(rules: readonly GroupRule[]): string {
  return rules.map(({ value, group_id: id }) => `${value} = ${groupNameOf(id)}`).join('\n');
}

/** Throws for lines without a sign between, and for groups that do not exist. */
export function readGroupRules(text: string): GroupRule[] {
  const { realm_user_groups: groups } = readSettings();
  return pairsOf(text).map(([value, name]) => {
    const group = groups.find((each) => groupName(each) === name && !each.deactivated);
    if (!group) throw refusal(settingsTexts.value.noSuchGroup(name));
    return { value, group_id: group.id };
  });
}

export function writeRoleRules(rules: readonly RoleRule[]): string {
  return rules.map(({ value, role }) => `${value} = ${roleName(role)}`).join('\n');
}

/** Throws for lines without a sign between, and for roles that do not exist. */
export function readRoleRules(text: string): RoleRule[] {
  return pairsOf(text).map(([value, name]) => {
    const choice = roleChoices(true).find(([, label]) => label.toLowerCase() === name.toLowerCase());
    if (!choice) throw refusal(settingsTexts.value.noSuchRole(name));
    return { value, role: choice[0] };
  });
}

/** Values may have the sign in them: the last one counts. */
function pairsOf(text: string): [value: string, name: string][] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const mark = line.lastIndexOf('=');
    if (mark < 0) throw refusal(settingsTexts.value.noRule(line.trim()));
    return [line.slice(0, mark).trim(), line.slice(mark + 1).trim()];
  });
}

import type { GroupSummary } from '@parley/shared/proto';
import type { Caller, RpcClient } from '@parley/shared/rpc';

/** `VALUE=WORD`; the value may have further equals signs. */
function ruleOf(text: string): [string, string] {
  const [, value, word] = /^(.+)=([^=]+)$/.exec(text) ?? [];
  if (value === undefined || word === undefined) throw new Error(`a rule is VALUE=WORD (it is "${text}")`);
  return [value, word];
}

/** `VALUE=ROLE`: what an outside source says, and the role that follows. */
export function roleRule(text: string): { value: string; role: number } {
  const [value, word] = ruleOf(text);
  if (!/^\d{3}$/.test(word)) throw new Error(`a role is a number such as 200 (it is "${word}")`);
  return { value, role: Number(word) };
}

/** Each `VALUE=GROUP`: what an outside source says, and the user group that follows, by its name. */
export async function groupRules(
  service: RpcClient<'realm'>,
  actor: Caller,
  texts: readonly string[],
): Promise<{ value: string; groupId: number }[]> {
  if (texts.length === 0) return [];
  const { groups } = await service.listGroups(actor, { includesDeactivated: false });
  return texts.map((text) => {
    const [value, name] = ruleOf(text);
    return { value, groupId: groupNamed(groups, name).id };
  });
}

function groupNamed(groups: readonly GroupSummary[], name: string): GroupSummary {
  const found = groups.find((group) => group.name === name);
  if (!found) throw new Error(`there is no group "${name}"`);
  return found;
}

import type { GroupSummary } from '@parley/shared/proto';
import type { Caller, RpcClient } from '@parley/shared/rpc';
import { command } from '../command/command';
import { as, operatedIds, operatedRealm } from '../command/operated';
import { decision, list, realm, text } from '../command/options';

const name = text('NAME');
const users = list('EMAIL,EMAIL');

export const groupList = command({
  services: ['realm'],
  summary: 'lists the groups of an organization, those of the system too',
  options: { realm, deactivated: decision().optional() },
  examples: ['--realm acme', '--realm acme --deactivated yes'],
  async run({ realm: service }, { deactivated: includesDeactivated = false, ...named }) {
    const { actor } = await operatedRealm(service, named);
    const { groups } = await service.listGroups(actor, { includesDeactivated });
    return { groups: groups.map(publicGroup) };
  },
});

function publicGroup({ id, name, description, isSystem, isDeactivated, memberIds, directSubgroupIds }: GroupSummary) {
  return {
    ...{ group_id: id, name, description, is_system: isSystem, is_deactivated: isDeactivated },
    ...{ members: memberIds.length, subgroups: directSubgroupIds.length },
  };
}

export const groupShow = command({
  services: ['realm'],
  summary: 'shows a group and its direct members',
  options: { realm, name },
  examples: ['--realm acme --name cooks'],
  async run({ realm: service }, { name, ...named }) {
    const { actor } = await operatedRealm(service, named);
    const group = await groupNamed(service, actor, name);
    const userIds = group.memberIds;
    const { users } = await service.listUsers(actor, { userIds, hasUserIds: true, includesProfiles: false });
    const people = users.map(({ id, email, deliveryEmail, fullName }) => ({
      ...{ user_id: id, email: deliveryEmail || email, full_name: fullName },
    }));
    const { members: _, ...shown } = publicGroup(group);
    return { ...shown, members: people };
  },
});

export const groupCreate = command({
  services: ['realm'],
  summary: 'makes a group',
  options: { realm, name, description: text('TEXT').optional(), users: users.optional(), as },
  examples: ["--realm acme --name cooks --description 'Who cooks' --users bo@acme.org,di@acme.org"],
  async run({ realm: service }, { name, description = '', users: emails = [], ...named }) {
    const { actor } = await operatedRealm(service, named);
    const memberIds = await operatedIds(service, named.realm, emails);
    const group = { name, description, memberIds, subgroupIds: [], settings: {} };
    return { group_id: (await service.createGroup(actor, group)).groupId };
  },
});

export const groupAdd = command({
  services: ['realm'],
  summary: 'adds people to a group',
  options: { realm, name, users, as },
  examples: ['--realm acme --name cooks --users bo@acme.org,di@acme.org'],
  async run({ realm: service }, { users: emails, ...named }) {
    const { actor, group } = await accessGroup(service, named);
    const ids = await operatedIds(service, named.realm, emails);
    const addedIds = ids.filter((id) => !group.memberIds.includes(id));
    await changeMembers(service, actor, { groupId: group.id, addedIds, removedIds: [] });
    return { group_id: group.id, added: addedIds.length };
  },
});

export const groupRemove = command({
  services: ['realm'],
  summary: 'removes people from a group',
  options: { realm, name, users, as },
  examples: ['--realm acme --name cooks --users bo@acme.org'],
  async run({ realm: service }, { users: emails, ...named }) {
    const { actor, group } = await accessGroup(service, named);
    const ids = await operatedIds(service, named.realm, emails);
    const removedIds = ids.filter((id) => group.memberIds.includes(id));
    await changeMembers(service, actor, { groupId: group.id, addedIds: [], removedIds });
    return { group_id: group.id, removed: removedIds.length };
  },
});

export const groupDeactivate = command({
  services: ['realm'],
  summary: 'takes a group out of use, unless it has a permission somewhere',
  options: { realm, name, as },
  examples: ['--realm acme --name cooks'],
  async run({ realm: service }, named) {
    const { actor, group } = await accessGroup(service, named);
    await service.deactivateGroup(actor, { groupId: group.id });
    return { group_id: group.id };
  },
});

interface Named {
  realm: string;
  name: string;
  as?: string | undefined;
}

async function accessGroup(service: RpcClient<'realm'>, { name, ...named }: Named) {
  const { actor } = await operatedRealm(service, named);
  return { actor, group: await groupNamed(service, actor, name) };
}

async function groupNamed(service: RpcClient<'realm'>, actor: Caller, name: string): Promise<GroupSummary> {
  const { groups } = await service.listGroups(actor, { includesDeactivated: true });
  const found = groups.filter((group) => group.name === name);
  const group = found.find(({ isDeactivated }) => !isDeactivated) ?? found[0];
  if (!group) throw new Error(`there is no group "${name}"; see group list`);
  return group;
}

interface MemberChange {
  groupId: number;
  addedIds: number[];
  removedIds: number[];
}

async function changeMembers(service: RpcClient<'realm'>, actor: Caller, change: MemberChange): Promise<void> {
  if (change.addedIds.length + change.removedIds.length === 0) return;
  await service.changeGroupMembers(actor, { ...change, addedSubgroupIds: [], removedSubgroupIds: [] });
}

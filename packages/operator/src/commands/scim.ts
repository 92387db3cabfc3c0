import { command } from '../command/command';
import { as, operatedRealm } from '../command/operated';
import { identifier, integer, realm, text } from '../command/options';
import { timeOf } from '../command/present';

const ROLES = '100|200|300|400|600';

export const scimTokenCreate = command({
  services: ['realm'],
  summary: 'makes a bearer token for an identity provider, which is shown only once',
  options: { realm, name: text('TEXT'), as },
  examples: ['--realm acme --name Entra --json'],
  async run({ realm: service }, { name, ...named }) {
    const { actor } = await operatedRealm(service, named);
    const { tokenId, token } = await service.createScimToken(actor, { name });
    return { token_id: tokenId, token };
  },
});

export const scimTokenList = command({
  services: ['realm'],
  summary: 'lists the tokens of identity providers, without the tokens themselves, and the roles that groups give',
  options: { realm, as },
  async run({ realm: service }, named) {
    const { actor } = await operatedRealm(service, named);
    const { tokens, roles } = await service.listScimTokens(actor, {});
    return {
      tokens: tokens.map(({ id, name, createdAtMs, formerEndsAtMs }) => ({
        ...{ id, name, created_at: timeOf(createdAtMs) },
        ...(formerEndsAtMs !== undefined && { former_ends_at: timeOf(formerEndsAtMs) }),
      })),
      roles: roles.map(({ groupName: group, role }) => ({ group, role })),
    };
  },
});

export const scimTokenRotate = command({
  services: ['realm'],
  summary: 'gives a token a new secret; the former one stays valid for some minutes (default: none)',
  options: { realm, id: identifier('N'), 'overlap-minutes': integer('N').optional(), as },
  examples: ['--realm acme --id 3 --overlap-minutes 60'],
  async run({ realm: service }, { id, 'overlap-minutes': overlapMinutes = 0, ...named }) {
    const { actor } = await operatedRealm(service, named);
    const { tokenId, token } = await service.rotateScimToken(actor, { tokenId: id, overlapMinutes });
    return { token_id: tokenId, token };
  },
});

export const scimTokenRevoke = command({
  services: ['realm'],
  summary: 'ends a token',
  options: { realm, id: identifier('N'), as },
  examples: ['--realm acme --id 3'],
  async run({ realm: service }, { id: tokenId, ...named }) {
    const { actor } = await operatedRealm(service, named);
    await service.revokeScimToken(actor, { tokenId });
    return { token_id: tokenId };
  },
});

export const scimRole = command({
  services: ['realm'],
  summary: `lets a group give a role to its members (${ROLES}); without --role, not any more`,
  options: { realm, group: text('NAME'), role: integer(ROLES).optional(), as },
  examples: ["--realm acme --group 'Parley administrators' --role 200"],
  async run({ realm: service }, { group: groupName, role, ...named }) {
    const { actor } = await operatedRealm(service, named);
    await service.setScimRole(actor, { groupName, ...(role !== undefined && { role }) });
    return { group: groupName, ...(role !== undefined && { role }) };
  },
});

import type { KnownOidcProvider } from '@parley/shared/proto';
import { command, Unfinished } from '../command/command';
import { readTextFile } from '../command/files';
import { as, operatedRealm } from '../command/operated';
import { integer, list, oneOf, realm, text } from '../command/options';
import { groupRules, roleRule } from '../command/rules';

const MAX_SECRET_MIB = 1;
const USUAL_SCOPES = ['email', 'profile'];

export const oidcAdd = command({
  services: ['realm'],
  summary: 'lets people sign in through an OpenID Connect provider',
  options: {
    realm,
    name: text('TEXT'),
    issuer: text('URL'),
    'client-id': text('TEXT'),
    'secret-file': text('FILE').optional(),
    scopes: list('WORD,WORD').optional(),
    'new-accounts': oneOf(['invite_only', 'allowed_domains', 'everyone']).optional(),
    'keys-end-at': oneOf(['deactivation', 'logout']).optional(),
    'groups-claim': text('NAME').optional(),
    groups: list('VALUE=GROUP,VALUE=GROUP').optional(),
    'roles-claim': text('NAME').optional(),
    roles: list('VALUE=ROLE,VALUE=ROLE').optional(),
    icon: text('URL').optional(),
    as,
  },
  examples: [
    "--realm acme --name 'Acme ID' --issuer https://id.acme.org --client-id parley --secret-file parley.secret",
    '--realm acme --name Staff --issuer https://id.acme.org --client-id parley --groups-claim groups --groups eng=Engineers --roles-claim roles --roles admins=200',
  ],
  async run({ realm: service }, { realm: subdomain, as: actorEmail, 'secret-file': file, ...given }) {
    const { actor } = await operatedRealm(service, { realm: subdomain, as: actorEmail });
    const settings = {
      ...{ displayName: given.name, iconUrl: given.icon ?? '', issuer: given.issuer, clientId: given['client-id'] },
      ...{ scopes: given.scopes ?? USUAL_SCOPES, newAccounts: given['new-accounts'] ?? 'invite_only' },
      ...{ keysEndAt: given['keys-end-at'] ?? 'deactivation', groupsClaim: given['groups-claim'] ?? '' },
      groupRules: await groupRules(service, actor, given.groups ?? []),
      rolesClaim: given['roles-claim'] ?? '',
      roleRules: (given.roles ?? []).map((each) => roleRule(each)),
    };
    const clientSecret = file === undefined ? '' : (await readTextFile(file, MAX_SECRET_MIB)).trim();
    const { providerId } = await service.addOidcProvider(actor, { settings, clientSecret });
    return { id: providerId };
  },
});

export const oidcList = command({
  services: ['realm'],
  summary: 'lists the providers through which people sign in, without secrets',
  options: { realm, as },
  async run({ realm: service }, named) {
    const { actor } = await operatedRealm(service, named);
    const { providers } = await service.listOidcProviderSettings(actor, {});
    return { providers: providers.map(publicProvider) };
  },
});

function publicProvider({ id, settings, hasClientSecret }: KnownOidcProvider) {
  if (settings === null) throw new Error(`provider ${id} has no settings`);
  const { displayName, issuer, clientId, scopes, newAccounts, keysEndAt } = settings;
  return {
    ...{ id, name: displayName, issuer, client_id: clientId, has_secret: hasClientSecret, scopes: scopes.join(' ') },
    ...{ new_accounts: newAccounts, keys_end_at: keysEndAt },
    ...{ groups: settings.groupRules.length, roles: settings.roleRules.length },
  };
}

export const oidcRemove = command({
  services: ['realm'],
  summary: 'removes a provider, and ends the sessions made through it; accounts stay',
  options: { realm, id: integer('N'), as },
  examples: ['--realm acme --id 3'],
  async run({ realm: service }, { id: providerId, ...named }) {
    const { actor } = await operatedRealm(service, named);
    await service.removeOidcProvider(actor, { providerId });
    return { id: providerId };
  },
});

export const oidcTest = command({
  services: ['realm'],
  summary: 'asks a provider for its description and keys, and says what is wrong with them',
  options: { realm, id: integer('N'), as },
  examples: ['--realm acme --id 3'],
  async run({ realm: service }, { id: providerId, ...named }) {
    const { actor } = await operatedRealm(service, named);
    const { faults, ...found } = await service.testOidcProvider(actor, { providerId });
    const result = {
      ...{ id: providerId, authorization_endpoint: found.authorizationEndpoint, token_endpoint: found.tokenEndpoint },
      ...{ keys: found.keys, has_backchannel_logout: found.hasBackchannelLogout },
    };
    if (faults.length > 0) throw new Unfinished(faults.join(' '), result);
    return result;
  },
});

import type { KnownOidcProvider, OidcProviderSettings } from '@parley/shared/proto';
import type { Caller, RpcClient } from '@parley/shared/rpc';
import type { z } from 'zod';
import { command, Unfinished } from '../command/command';
import { readTextFile } from '../command/files';
import { as, operatedRealm, operatedUser } from '../command/operated';
import { file, identifier, list, oneOf, realm, text, withoutUndefined } from '../command/options';
import { groupRules, roleRule } from '../command/rules';

const MAX_SECRET_MIB = 1;
const USUAL_SCOPES = ['email', 'profile'];

/** What a provider has besides its name, issuer and client ID. */
const rest = {
  'secret-file': file('FILE').optional(),
  scopes: list('WORD,WORD').optional(),
  'new-accounts': oneOf(['invite_only', 'allowed_domains', 'everyone']).optional(),
  'keys-end-at': oneOf(['deactivation', 'logout']).optional(),
  'groups-claim': text('NAME').optional(),
  groups: list('VALUE=GROUP,VALUE=GROUP').optional(),
  'roles-claim': text('NAME').optional(),
  roles: list('VALUE=ROLE,VALUE=ROLE').optional(),
  icon: text('URL').optional(),
};

type Rest = { [Name in keyof typeof rest]?: z.output<(typeof rest)[Name]> };

/** A new provider's, except for what the command names. */
const USUAL: OidcProviderSettings = {
  ...{ displayName: '', iconUrl: '', issuer: '', clientId: '', scopes: USUAL_SCOPES },
  ...{ newAccounts: 'invite_only', keysEndAt: 'deactivation' },
  ...{ groupsClaim: '', groupRules: [], rolesClaim: '', roleRules: [] },
};

/** Settings as the command wants them; what it does not name stays. */
async function settingsOf(
  service: RpcClient<'realm'>,
  actor: Caller,
  former: OidcProviderSettings,
  given: Rest & { name?: string | undefined; issuer?: string | undefined; 'client-id'?: string | undefined },
): Promise<OidcProviderSettings> {
  const { groups, roles } = given;
  const named = {
    ...{ displayName: given.name, iconUrl: given.icon, issuer: given.issuer, clientId: given['client-id'] },
    ...{ scopes: given.scopes, newAccounts: given['new-accounts'], keysEndAt: given['keys-end-at'] },
    ...{ groupsClaim: given['groups-claim'], rolesClaim: given['roles-claim'] },
    groupRules: groups && (await groupRules(service, actor, groups)),
    roleRules: roles?.map((each) => roleRule(each)),
  };
  return { ...former, ...withoutUndefined(named) };
}

const secretIn = async (file: string) => (await readTextFile(file, MAX_SECRET_MIB)).trim();

/** Of the organization's address: what is registered at the provider. */
const pathsOf = (id: number) => ({
  callback_path: `/accounts/oidc/${id}/callback`,
  logout_path: `/accounts/oidc/${id}/logout`,
});

export const oidcAdd = command({
  services: ['realm'],
  summary: 'lets people sign in through an OpenID Connect provider',
  options: { realm, name: text('TEXT'), issuer: text('URL'), 'client-id': text('TEXT'), ...rest, as },
  examples: [
    "--realm acme --name 'Acme ID' --issuer https://id.acme.org --client-id parley --secret-file parley.secret",
    '--realm acme --name Staff --issuer https://id.acme.org --client-id parley --groups-claim groups --groups eng=Engineers --roles-claim roles --roles admins=200',
  ],
  async run({ realm: service }, { realm: subdomain, as: actorEmail, 'secret-file': file, ...given }) {
    const { actor } = await operatedRealm(service, { realm: subdomain, as: actorEmail });
    const settings = await settingsOf(service, actor, USUAL, given);
    const clientSecret = file === undefined ? '' : await secretIn(file);
    const { providerId: id } = await service.addOidcProvider(actor, { settings, clientSecret });
    return { id, ...pathsOf(id) };
  },
});

export const oidcSet = command({
  services: ['realm'],
  summary: 'changes a provider; what is not named stays. Another issuer ends its sessions',
  options: {
    ...{ realm, id: identifier('N'), name: text('TEXT').optional(), issuer: text('URL').optional() },
    ...{ 'client-id': text('TEXT').optional(), ...rest, as },
  },
  examples: ['--realm acme --id 3 --client-id 0oa1b2c3 --secret-file parley.secret'],
  async run({ realm: service }, { realm: subdomain, as: actorEmail, id, 'secret-file': file, ...given }) {
    const { actor } = await operatedRealm(service, { realm: subdomain, as: actorEmail });
    const { providers } = await service.listOidcProviderSettings(actor, {});
    const former = providers.find((provider) => provider.id === id)?.settings;
    if (!former) throw new Error(`there is no provider ${id}`);
    const settings = await settingsOf(service, actor, former, given);
    const secret = file === undefined ? {} : { clientSecret: await secretIn(file) };
    await service.updateOidcProvider(actor, { providerId: id, settings, ...secret });
    return { id, ...pathsOf(id) };
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
    ...{ groups: settings.groupRules.length, roles: settings.roleRules.length, ...pathsOf(id) },
  };
}

export const oidcRemove = command({
  services: ['realm'],
  summary: 'removes a provider, and ends the sessions made through it; accounts stay',
  options: { realm, id: identifier('N'), as },
  examples: ['--realm acme --id 3'],
  async run({ realm: service }, { id: providerId, ...named }) {
    const { actor } = await operatedRealm(service, named);
    await service.removeOidcProvider(actor, { providerId });
    return { id: providerId };
  },
});

export const oidcUnlink = command({
  services: ['realm'],
  summary: 'forgets who an account is at sign-in providers, and ends the sessions and keys made through them',
  options: { realm, email: text('EMAIL'), as },
  examples: ['--realm acme --email bo@acme.org'],
  async run({ realm: service }, named) {
    const { actor, user } = await operatedUser(service, named);
    const { count } = await service.forgetOidcIdentities(actor, { userId: user.id });
    return { user_id: user.id, identities: count };
  },
});

export const oidcTest = command({
  services: ['realm'],
  summary: 'asks a provider for its description and keys, and says what is wrong with them',
  options: { realm, id: identifier('N'), as },
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

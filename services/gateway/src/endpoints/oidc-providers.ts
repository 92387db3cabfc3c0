import { NotFoundError } from '@parley/shared/errors';
import type { KnownOidcProvider, OidcProviderSettings } from '@parley/shared/proto';
import { z } from 'zod';
import type { Config } from '../config';
import { endpoint } from '../http/endpoint';
import { boundedText, json, pathId, text } from '../http/parameters';
import { registeredAddresses } from '../pages/external-sign-in/addresses';

const MAX_TEXT_LENGTH = 1_000;
const [MAX_RULES, MAX_SCOPES] = [1_000, 30];

const newAccountsSchema = z.enum(['invite_only', 'allowed_domains', 'everyone']);
const keysEndAtSchema = z.enum(['deactivation', 'logout']);
const groupRulesSchema = z.array(z.strictObject({ value: z.string(), group_id: z.int() })).max(MAX_RULES);
const roleRulesSchema = z.array(z.strictObject({ value: z.string(), role: z.int32() })).max(MAX_RULES);
const shortText = boundedText(MAX_TEXT_LENGTH);

/** Optional for a new provider; left unchanged by a change that omits them. */
const optionalParameters = {
  client_secret: text(shortText.optional().describe('Never shown again; empty: a client without a secret.')),
  icon_url: text(shortText.optional().describe('An address with https; empty: none.')),
  scopes: json(
    z
      .array(z.string())
      .max(MAX_SCOPES)
      .optional()
      .describe('What is asked of the provider; new ones begin with openid, email and profile.'),
  ),
  new_accounts: text(
    newAccountsSchema.optional().describe('Who gets an account at the first sign-in: see docs/sign-in.md.'),
  ),
  keys_end_at: text(keysEndAtSchema.optional().describe('When API keys of apps end.')),
  groups_claim: text(
    shortText.optional().describe('The claim that lists groups; empty: groups do not follow the provider.'),
  ),
  group_rules: json(groupRulesSchema.optional().describe('For each value of this claim a group.')),
  roles_claim: text(
    shortText.optional().describe('The claim that decides roles; empty: roles do not follow the provider.'),
  ),
  role_rules: json(roleRulesSchema.optional().describe('For values of this claim roles: the first that fits decides.')),
};

const NAMES = {
  display_name: 'The name on the button.',
  issuer: 'The address by which the provider names itself.',
  client_id: 'The name of this server at the provider.',
};

const providerSchema = z.strictObject({
  id: z.int(),
  display_name: z.string(),
  icon_url: z.string(),
  issuer: z.string(),
  client_id: z.string(),
  has_client_secret: z.boolean(),
  scopes: z.array(z.string()),
  new_accounts: z.string(),
  keys_end_at: z.string(),
  groups_claim: z.string(),
  group_rules: groupRulesSchema,
  roles_claim: z.string(),
  role_rules: roleRulesSchema,
  callback_url: z.string().describe('To be registered at the provider.'),
  logout_url: z.string().describe('The same, for back-channel logout.'),
});

interface SentSettings {
  display_name?: string | undefined;
  icon_url?: string | undefined;
  issuer?: string | undefined;
  client_id?: string | undefined;
  scopes?: string[] | undefined;
  new_accounts?: string | undefined;
  keys_end_at?: string | undefined;
  groups_claim?: string | undefined;
  group_rules?: z.infer<typeof groupRulesSchema> | undefined;
  roles_claim?: string | undefined;
  role_rules?: z.infer<typeof roleRulesSchema> | undefined;
}

/** A new provider's, except for what its administrator names. */
const DEFAULTS: OidcProviderSettings = {
  displayName: '',
  iconUrl: '',
  issuer: '',
  clientId: '',
  scopes: ['openid', 'email', 'profile'],
  newAccounts: 'invite_only',
  keysEndAt: 'deactivation',
  groupsClaim: '',
  groupRules: [],
  rolesClaim: '',
  roleRules: [],
};

/** Settings as they are after a change; what was not sent stays. */
function changed(former: OidcProviderSettings, sent: SentSettings): OidcProviderSettings {
  return {
    displayName: sent.display_name ?? former.displayName,
    iconUrl: sent.icon_url ?? former.iconUrl,
    issuer: sent.issuer ?? former.issuer,
    clientId: sent.client_id ?? former.clientId,
    scopes: sent.scopes ?? former.scopes,
    newAccounts: sent.new_accounts ?? former.newAccounts,
    keysEndAt: sent.keys_end_at ?? former.keysEndAt,
    groupsClaim: sent.groups_claim ?? former.groupsClaim,
    groupRules: sent.group_rules?.map(({ value, group_id: groupId }) => ({ value, groupId })) ?? former.groupRules,
    rolesClaim: sent.roles_claim ?? former.rolesClaim,
    roleRules: sent.role_rules ?? former.roleRules,
  };
}

function publicProvider(config: Config, subdomain: string, { id, settings, hasClientSecret }: KnownOidcProvider) {
  const { callback, logout } = registeredAddresses(config, subdomain, id);
  const provider = settings as OidcProviderSettings;
  return {
    id,
    display_name: provider.displayName,
    icon_url: provider.iconUrl,
    issuer: provider.issuer,
    client_id: provider.clientId,
    has_client_secret: hasClientSecret,
    scopes: provider.scopes,
    new_accounts: provider.newAccounts,
    keys_end_at: provider.keysEndAt,
    groups_claim: provider.groupsClaim,
    group_rules: provider.groupRules.map(({ value, groupId }) => ({ value, group_id: groupId })),
    roles_claim: provider.rolesClaim,
    role_rules: provider.roleRules.map(({ value, role }) => ({ value, role })),
    callback_url: callback,
    logout_url: logout,
  };
}

export const listOidcProviders = endpoint({
  method: 'GET',
  path: '/realm/oidc_providers',
  summary: 'List the providers through which people sign in, with their settings; administrators only',
  auth: 'user',
  parameters: {},
  result: z.strictObject({ oidc_providers: z.array(providerSchema) }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services, config }, { call, subdomain }) {
    const { providers } = await services.realm.listOidcProviderSettings(call, {});
    return { oidc_providers: providers.map((provider) => publicProvider(config, subdomain, provider)) };
  },
});

export const addOidcProvider = endpoint({
  method: 'POST',
  path: '/realm/oidc_providers',
  summary: 'Let people sign in through a provider (OpenID Connect); owners only',
  auth: 'user',
  parameters: {
    display_name: text(shortText.describe(NAMES.display_name)),
    issuer: text(shortText.describe(NAMES.issuer)),
    client_id: text(shortText.describe(NAMES.client_id)),
    ...optionalParameters,
  },
  result: z.strictObject({ id: z.int(), callback_url: z.string(), logout_url: z.string() }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services, config }, { call, subdomain }, { client_secret: clientSecret = '', ...sent }) {
    const settings = changed(DEFAULTS, sent);
    const { providerId: id } = await services.realm.addOidcProvider(call, { settings, clientSecret });
    const { callback, logout } = registeredAddresses(config, subdomain, id);
    return { id, callback_url: callback, logout_url: logout };
  },
});

export const updateOidcProvider = endpoint({
  method: 'PATCH',
  path: '/realm/oidc_providers/{provider_id}',
  summary: 'Change settings of a provider; owners only',
  auth: 'user',
  parameters: {
    provider_id: pathId(),
    display_name: text(shortText.optional().describe(NAMES.display_name)),
    issuer: text(shortText.optional().describe(NAMES.issuer)),
    client_id: text(shortText.optional().describe(NAMES.client_id)),
    ...optionalParameters,
  },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'NOT_FOUND'],
  async handler({ services }, { call }, { provider_id: providerId, client_secret: clientSecret, ...sent }) {
    const { providers } = await services.realm.listOidcProviderSettings(call, {});
    const former = providers.find(({ id }) => id === providerId);
    if (!former) throw new NotFoundError('The organization has no such sign-in provider.');
    await services.realm.updateOidcProvider(call, {
      providerId,
      settings: changed(former.settings as OidcProviderSettings, sent),
      ...(clientSecret !== undefined && { clientSecret }),
    });
    return {};
  },
});

export const removeOidcProvider = endpoint({
  method: 'DELETE',
  path: '/realm/oidc_providers/{provider_id}',
  summary: 'Let nobody sign in through a provider any more, and end its sessions; owners only',
  auth: 'user',
  parameters: { provider_id: pathId() },
  result: z.strictObject({}),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'NOT_FOUND'],
  async handler({ services }, { call }, { provider_id: providerId }) {
    await services.realm.removeOidcProvider(call, { providerId });
    return {};
  },
});

export const forgetOidcIdentities = endpoint({
  method: 'DELETE',
  path: '/users/{user_id}/oidc_identities',
  summary: 'Forget who somebody is at sign-in providers, and end what was made through these; owners only',
  auth: 'user',
  parameters: { user_id: pathId() },
  result: z.strictObject({ count: z.int().describe('Of the identities; after this the account is linked anew.') }),
  errors: ['UNAUTHORIZED_PRINCIPAL'],
  async handler({ services }, { call }, { user_id: userId }) {
    const { count } = await services.realm.forgetOidcIdentities(call, { userId });
    return { count };
  },
});

export const testOidcProvider = endpoint({
  method: 'POST',
  path: '/realm/oidc_providers/{provider_id}/test',
  summary: 'Ask a provider for its configuration and keys, and tell what is wrong; administrators only',
  auth: 'user',
  parameters: { provider_id: pathId() },
  result: z.strictObject({
    faults: z.array(z.string()).describe('In words; empty: none was found.'),
    authorization_endpoint: z.string(),
    token_endpoint: z.string(),
    keys: z.int().describe('How many keys the provider signs with.'),
    has_backchannel_logout: z.boolean(),
  }),
  errors: ['UNAUTHORIZED_PRINCIPAL', 'NOT_FOUND'],
  async handler({ services }, { call }, { provider_id: providerId }) {
    const tested = await services.realm.testOidcProvider(call, { providerId });
    return {
      faults: tested.faults,
      authorization_endpoint: tested.authorizationEndpoint,
      token_endpoint: tested.tokenEndpoint,
      keys: tested.keys,
      has_backchannel_logout: tested.hasBackchannelLogout,
    };
  },
});

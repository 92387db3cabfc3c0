import { NonexistentSubdomainError } from '@parley/shared/errors';
import type { OidcProvider, Organization } from '@parley/shared/proto';
import { type AuthenticationMethods, REALM_SETTING_DEFAULTS, realmSettingsOf, realmUrl } from '@parley/shared/values';
import { organizationIconUrl } from '@parley/shared/wire';
import { z } from 'zod';
import type { Context } from '../context';
import { serverVersion } from '../http/brands';
import { type ApiRequest, endpoint } from '../http/endpoint';
import { pathOf } from '../pages/external-sign-in/addresses';

/** Sign-in methods that clients look for, but this server does not have. */
const OTHER_METHODS = {
  remoteuser: false,
  github: false,
  azuread: false,
  gitlab: false,
  google: false,
  apple: false,
  saml: false,
};

const organizationShape = z.strictObject({
  realm_url: z.string(),
  realm_uri: z.string().describe('Deprecated alias of realm_url.'),
  realm_name: z.string(),
  realm_icon: z.string(),
  realm_description: z.string().describe('HTML.'),
  realm_web_public_access_enabled: z.boolean(),
});

export const getServerSettings = endpoint({
  method: 'GET',
  path: '/server_settings',
  summary: 'Get what a client needs to know before it logs in',
  auth: 'none',
  parameters: {},
  result: z.strictObject({
    authentication_methods: z.record(z.string(), z.boolean()),
    external_authentication_methods: z.array(
      z.strictObject({
        name: z.string(),
        display_name: z.string(),
        display_icon: z.string().nullable(),
        login_url: z
          .string()
          .describe(
            'The path of a page for browsers; apps add `mobile_flow_otp` or `desktop_flow_otp`, 64 hex digits.',
          ),
        signup_url: z.string(),
      }),
    ),
    service_feature_level: z.int(),
    service_version: z.string(),
    service_merge_base: z.string(),
    push_notifications_enabled: z.boolean(),
    is_incompatible: z.boolean(),
    email_auth_enabled: z.boolean(),
    require_email_format_usernames: z.boolean(),
    ...organizationShape.partial().shape,
  }),
  errors: ['NONEXISTENT_SUBDOMAIN'],
  async handler(ctx, request) {
    const realm = await findOrganization(ctx, request);
    const methods = enabledMethods(ctx, realm);
    const hasLdap = realm?.hasLdap ?? false;
    const providers = realm ? await findProviders(ctx, request) : [];
    return {
      ...serverVersion,
      authentication_methods: {
        ...{ password: methods.Email || hasLdap, email: methods.Email, dev: methods.Dev, ldap: hasLdap },
        ...OTHER_METHODS,
        'openid connect': providers.length > 0,
      },
      external_authentication_methods: providers.map(externalMethod),
      push_notifications_enabled: ctx.config.PUSH_GATEWAY_URL !== undefined,
      is_incompatible: false,
      email_auth_enabled: methods.Email,
      // A directory may have login names that are no addresses.
      require_email_format_usernames: !hasLdap,
      ...(realm && presentOrganization(ctx, realm, request.subdomain)),
    };
  },
});

/** Null at a root domain without an organization; every other unknown subdomain is an error. */
async function findOrganization(ctx: Context, { call, subdomain }: ApiRequest): Promise<Organization | null> {
  try {
    return await ctx.services.realm.getRealm(call, { subdomain });
  } catch (error) {
    if (subdomain === '' && error instanceof NonexistentSubdomainError) return null;
    throw error;
  }
}

async function findProviders({ services }: Context, { call, subdomain }: ApiRequest): Promise<OidcProvider[]> {
  const { providers } = await services.realm.listOidcProviders(call, { subdomain });
  return providers;
}

function externalMethod({ id, displayName, iconUrl }: OidcProvider) {
  return {
    name: `oidc:${id}`,
    display_name: displayName,
    display_icon: iconUrl ?? null,
    login_url: pathOf('login', id),
    signup_url: pathOf('signup', id),
  };
}

/** The sign-in methods; without an organization, those that the server offers. */
function enabledMethods({ config }: Context, realm: Organization | null): AuthenticationMethods {
  const settings = realm ? realmSettingsOf(realm) : REALM_SETTING_DEFAULTS;
  const { authentication_methods: chosen, password_sign_in: whoHasOne } = settings;
  return { Email: chosen.Email && whoHasOne !== 'off', Dev: chosen.Dev && config.DEV_LOGIN };
}

function presentOrganization(
  { config }: Context,
  realm: Organization,
  subdomain: string,
): z.infer<typeof organizationShape> {
  const origin = realmUrl(subdomain, config.EXTERNAL_HOST);
  const { enable_spectator_access: areVisitorsAdmitted } = realmSettingsOf(realm);
  return {
    realm_url: origin,
    realm_uri: origin,
    realm_name: realm.name,
    realm_icon: organizationIconUrl(realm),
    realm_description: realm.renderedDescription,
    realm_web_public_access_enabled: config.WEB_PUBLIC_STREAMS_ENABLED && areVisitorsAdmitted,
  };
}

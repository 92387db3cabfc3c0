import {
  addAllowedDomain,
  addCustomEmoji,
  addLinkifier,
  addOidcProvider,
  addPlayground,
  createDataExport,
  createProfileField,
  createScimToken,
  deactivateCustomEmoji,
  deactivateRealm,
  deleteDataExport,
  forgetOidcIdentities,
  getDataExports,
  getExportConsents,
  getRealmIcon,
  getRealmLogo,
  getServerSettings,
  listAllowedDomains,
  listCustomEmoji,
  listLinkifiers,
  listOidcProviders,
  listProfileFields,
  listScimTokens,
  removeAllowedDomain,
  removeLinkifier,
  removeOidcProvider,
  removePlayground,
  removeProfileField,
  removeProfileValues,
  removeRealmIcon,
  removeRealmLogo,
  reorderLinkifiers,
  reorderProfileFields,
  revokeScimToken,
  rotateScimToken,
  setProfileValues,
  setRealmIcon,
  setRealmLogo,
  setScimRole,
  testOidcProvider,
  testWelcomeMessage,
  updateAllowedDomain,
  updateLinkifier,
  updateOidcProvider,
  updateProfileField,
  updateRealm,
  updateUserSettingsDefaults,
} from '@parley/gateway/endpoints';
import { PICTURE } from './picture';
import type { Tour } from './tour';

/** The organization itself. */
export async function showOrganization({ network: { iris }, recorder }: Tour): Promise<void> {
  await recorder.show(iris, getServerSettings, {});
  await recorder.show(iris, updateRealm, { description: 'Where we talk.', message_content_edit_limit_seconds: 3600 });
  await recorder.show(iris, updateUserSettingsDefaults, { twenty_four_hour_time: true });
  await recorder.show(iris, testWelcomeMessage, { welcome_message_custom_text: 'Welcome aboard!' });
  await recorder.show(iris, setRealmIcon, {}, PICTURE);
  await recorder.show(iris, getRealmIcon, {});
  await recorder.show(iris, removeRealmIcon, {});
  await recorder.show(iris, setRealmLogo, { night: false }, PICTURE);
  await recorder.show(iris, getRealmLogo, { night: false });
  await recorder.show(iris, removeRealmLogo, { night: false });
}

/** Administrators' additions. */
export async function showCustomizations({ network: { iris }, recorder }: Tour): Promise<void> {
  await recorder.show(iris, addAllowedDomain, { domain: 'example.com', allow_subdomains: false });
  await recorder.show(iris, updateAllowedDomain, { domain: 'example.com', allow_subdomains: true });
  await recorder.show(iris, listAllowedDomains, {});
  await recorder.show(iris, removeAllowedDomain, { domain: 'example.com' });

  await recorder.show(iris, addCustomEmoji, { emoji_name: 'soup' }, PICTURE);
  await recorder.show(iris, listCustomEmoji, {});
  await recorder.show(iris, deactivateCustomEmoji, { emoji_name: 'soup' });

  const linkifier = { pattern: '#(?P<id>[0-9]+)', url_template: 'https://issues.example.com/{id}' };
  const { id: filter_id } = await recorder.show(iris, addLinkifier, linkifier);
  await recorder.show(iris, updateLinkifier, { filter_id, ...linkifier, pattern: 'issue (?P<id>[0-9]+)' });
  await recorder.show(iris, listLinkifiers, {});
  await recorder.show(iris, reorderLinkifiers, { ordered_linkifier_ids: [filter_id] });
  await recorder.show(iris, removeLinkifier, { filter_id });

  const playground = {
    name: 'Python playground',
    pygments_language: 'Python',
    url_template: 'https://play.example.com/{code}',
  };
  const { id: playground_id } = await recorder.show(iris, addPlayground, playground);
  await recorder.show(iris, removePlayground, { playground_id });
}

/** Through whom people sign in, and who keeps the accounts. */
export async function showProviders({ network: { eve, iris }, recorder }: Tour): Promise<void> {
  const provider = { display_name: 'Acme ID', issuer: 'https://id.example.com', client_id: 'parley' };
  const secret = { client_secret: 'a secret from the provider' };
  const { id: provider_id } = await recorder.show(iris, addOidcProvider, { ...provider, ...secret });
  const role_rules = [{ value: 'admins', role: 200 }];
  await recorder.show(iris, updateOidcProvider, { provider_id, roles_claim: 'roles', role_rules });
  await recorder.show(iris, listOidcProviders, {});
  await recorder.show(iris, testOidcProvider, { provider_id });
  await recorder.tell(iris, forgetOidcIdentities, { user_id: eve.userId }, { count: 1 });
  await recorder.show(iris, removeOidcProvider, { provider_id });

  const { id: token_id } = await recorder.show(iris, createScimToken, { name: 'Acme ID' });
  await recorder.show(iris, rotateScimToken, { token_id, overlap_minutes: 60 });
  await recorder.show(iris, setScimRole, { group_name: 'Parley administrators', role: 200 });
  await recorder.show(iris, listScimTokens, {});
  await recorder.show(iris, revokeScimToken, { token_id });
}

/** Fields of profiles, and what people write there. */
export async function showProfiles({ network: { dan, iris }, recorder }: Tour): Promise<void> {
  const { id } = await recorder.show(iris, createProfileField, {
    name: 'Pronouns',
    hint: 'What to call you',
    field_type: 1,
  });
  await recorder.show(iris, updateProfileField, { field_id: id, hint: 'How to speak of you' });
  const { custom_fields: fields } = await recorder.show(iris, listProfileFields, {});
  await recorder.show(iris, reorderProfileFields, { order: fields.map((field) => field.id) });
  await recorder.show(dan, setProfileValues, { data: [{ id, value: 'he/him' }] });
  await recorder.show(dan, removeProfileValues, { data: [id] });
  await recorder.show(iris, removeProfileField, { field_id: id });
}

/** The other organization's end. */
export async function showFarewell({ network: { iris, zoe }, recorder }: Tour): Promise<void> {
  await recorder.show(iris, createDataExport, { export_type: 1 });
  while ((await iris.call(getDataExports, {})).exports.some(({ pending }) => pending));
  const { exports } = await recorder.show(iris, getDataExports, {});
  await recorder.show(iris, deleteDataExport, { export_id: exports[0]?.id as number });
  await recorder.show(iris, getExportConsents, {});
  await recorder.show(zoe, deactivateRealm, { deletion_delay_days: 30 });
}

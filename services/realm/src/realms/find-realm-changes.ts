import { REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError } from '@parley/shared/errors';
import type { GroupSetting, Organization, UpdateRealmRequest } from '@parley/shared/proto';
import {
  type AuthenticationMethods,
  availableMethods,
  type RealmSettingName,
  type RealmSettings,
} from '@parley/shared/values';
import type { Context } from '../context';
import { changeGroupSettings } from '../group-settings/change-group-settings';
import { loadRealmGroupSettings, type RealmGroupSettings } from '../group-settings/load-realm-group-settings';
import { renderText } from '../rendering/render-texts';
import { changeAuthenticationMethods } from './change-authentication-methods';
import { checkChannelSettings } from './check-channel-settings';
import { realmDescriptionFromInput } from './realm-description';
import { realmNameFromInput } from './realm-name';
import { loadRealmSettings } from './realm-settings.sql';
import { realmSettingsFromInput, type WantedSettings } from './realm-settings-from-input';
import { findRealm } from './realms.sql';

/** What is different from now, and nothing else. */
export interface RealmChanges {
  name?: string;
  description?: { text: string; rendered: string };
  settings: Partial<RealmSettings>;
  permissions: Record<string, GroupSetting>;
  /** Of before the change. */
  former: RealmSettings;
  formerPermissions: RealmGroupSettings;
}

/** What a request would change, in a transaction that holds the organization. Refuses what the organization cannot have. */
export async function findRealmChanges(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  request: UpdateRealmRequest,
): Promise<RealmChanges> {
  const realm = (await findRealm(tx, realmId)) as Organization;
  const former = await loadRealmSettings(tx, realmId);
  const profile = await changesOfProfile(ctx, tx, realm, request);
  const settings = changesOfSettings(ctx, former, realmSettingsFromInput(request.settings));
  // SPEC-GAP: there are no demo organizations, so none can have another subdomain.
  if (request.subdomain !== undefined) throw new BadRequestError('Must be a demo organization.');
  const present = await loadRealmGroupSettings(tx, realmId);
  const { groupSettings } = request;
  const permissions = await changeGroupSettings(tx, realmId, REALM_PERMISSION_SETTINGS, present, groupSettings);
  await checkChannelSettings(tx, realmId, settings);
  return {
    ...{ ...profile, settings, permissions: permissions as Record<string, GroupSetting> },
    ...{ former, formerPermissions: present },
  };
}

async function changesOfProfile(
  ctx: Context,
  tx: Transaction,
  realm: Organization,
  request: UpdateRealmRequest,
): Promise<Pick<RealmChanges, 'name' | 'description'>> {
  const name = realmNameFromInput(request.name ?? realm.name);
  const text = realmDescriptionFromInput(request.description ?? realm.description);
  const renamed = name === realm.name ? {} : { name };
  if (text === realm.description) return renamed;
  // For all to read, also before they sign in: what only its author may see is not named.
  const rendered = await renderText(ctx, tx, { realmId: realm.id, authorId: null }, text);
  return { ...renamed, description: { text, rendered } };
}

function changesOfSettings(ctx: Context, former: RealmSettings, wanted: WantedSettings): Partial<RealmSettings> {
  const { authentication_methods: methods, ...rest } = wanted;
  const names = Object.keys(rest) as RealmSettingName[];
  const changed: WantedSettings = Object.fromEntries(
    names.filter((name) => wanted[name] !== former[name]).map((name) => [name, wanted[name]]),
  );
  if (methods !== undefined) {
    const after = methodsAfter(ctx, former.authentication_methods, methods);
    if (!isSame(after, former.authentication_methods)) changed.authentication_methods = after;
  }
  return changed as Partial<RealmSettings>;
}

function methodsAfter({ config }: Context, former: AuthenticationMethods, wanted: unknown): AuthenticationMethods {
  return changeAuthenticationMethods(former, wanted as Record<string, boolean>, availableMethods(config));
}

function isSame(a: AuthenticationMethods, b: AuthenticationMethods): boolean {
  return a.Email === b.Email && a.Dev === b.Dev;
}

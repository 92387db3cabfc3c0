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
import { loadRealmGroupSettings } from '../group-settings/load-realm-group-settings';
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
  description?: string;
  settings: Partial<RealmSettings>;
  permissions: Record<string, GroupSetting>;
  /** Of before the change. */
  former: RealmSettings;
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
  const profile = changesOfProfile(realm, request);
  const settings = changesOfSettings(ctx, former, realmSettingsFromInput(request.settings));
  // SPEC-GAP: there are no demo organizations, so none can have another subdomain.
  if (request.subdomain !== undefined) throw new BadRequestError('Must be a demo organization.');
  const present = await loadRealmGroupSettings(tx, realmId);
  const { groupSettings } = request;
  const permissions = await changeGroupSettings(tx, realmId, REALM_PERMISSION_SETTINGS, present, groupSettings);
  await checkChannelSettings(tx, realmId, settings);
  return { ...profile, settings, permissions: permissions as Record<string, GroupSetting>, former };
}

function changesOfProfile(
  realm: Organization,
  request: UpdateRealmRequest,
): Pick<RealmChanges, 'name' | 'description'> {
  const name = realmNameFromInput(request.name ?? realm.name);
  const description = realmDescriptionFromInput(request.description ?? realm.description);
  return {
    ...(name !== realm.name && { name }),
    ...(description !== realm.description && { description }),
  };
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

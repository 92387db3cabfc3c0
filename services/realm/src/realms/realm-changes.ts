import { REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, InvalidParameterError } from '@parley/shared/errors';
import type { GroupSetting, Organization, UpdateRealmRequest } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import {
  type AuthenticationMethod,
  type AuthenticationMethods,
  availableMethods,
  codePointLength,
  findForbiddenInLines,
  isRealmSettingName,
  NO_CHANNEL,
  REALM_SETTING_NAMES,
  REALM_SETTINGS,
  type RealmSetting,
  type RealmSettingName,
  type RealmSettings,
} from '@parley/shared/values';
import type { Context } from '../context';
import { changeGroupSettings } from '../group-settings/change-group-settings';
import { loadRealmGroupSettings, type RealmGroupSettings } from '../group-settings/complete-settings';
import { realmDescriptionFromInput, realmNameFromInput } from '../organization/realm-name';
import { findRealm, loadRealmSettings } from '../organization/realms.sql';
import { holdChannel } from '../organization-lists/default-channels';
import { renderText } from '../rendering/render-texts';

/** Only differences from the current state. */
export interface RealmChanges {
  name?: string;
  description?: { text: string; rendered: string };
  settings: Partial<RealmSettings>;
  permissions: Record<string, GroupSetting>;
  /** Before the change. */
  former: RealmSettings;
  formerPermissions: RealmGroupSettings;
  hasLdap: boolean;
}

/** The changes of a request, in a transaction that has locked the organization. Throws on invalid values. */
export async function findRealmChanges(
  ctx: Context,
  tx: Transaction,
  realmId: number,
  request: UpdateRealmRequest,
): Promise<RealmChanges> {
  const realm = (await findRealm(tx, realmId)) as Organization;
  const former = await loadRealmSettings(tx, realmId);
  const profile = await changesOfProfile(ctx, tx, realm, request);
  const settings = changesOfSettings(ctx, realm, former, realmSettingsFromInput(request.settings));
  // SPEC-GAP: there are no demo organizations, so the subdomain can never change.
  if (request.subdomain !== undefined) throw new BadRequestError('Must be a demo organization.');
  const present = await loadRealmGroupSettings(tx, realmId);
  const { groupSettings } = request;
  const permissions = await changeGroupSettings(tx, realmId, REALM_PERMISSION_SETTINGS, present, groupSettings);
  await checkChannelSettings(tx, realmId, settings);
  return {
    ...{ ...profile, settings, permissions: permissions as Record<string, GroupSetting> },
    ...{ former, formerPermissions: present, hasLdap: realm.hasLdap },
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
  // Public, also before sign-in: rendered without objects that only its author may see.
  const rendered = await renderText(ctx, tx, { realmId: realm.id, authorId: null }, text);
  return { ...renamed, description: { text, rendered } };
}

function changesOfSettings(
  ctx: Context,
  realm: Organization,
  former: RealmSettings,
  wanted: WantedSettings,
): Partial<RealmSettings> {
  const { authentication_methods: methods, ...rest } = wanted;
  const names = Object.keys(rest) as RealmSettingName[];
  const changed: WantedSettings = Object.fromEntries(
    names.filter((name) => wanted[name] !== former[name]).map((name) => [name, wanted[name]]),
  );
  if (methods !== undefined) {
    const after = methodsAfter(ctx, realm, former.authentication_methods, methods);
    if (!isSame(after, former.authentication_methods)) changed.authentication_methods = after;
  }
  return changed as Partial<RealmSettings>;
}

function methodsAfter(
  { config }: Context,
  { hasLdap }: Organization,
  former: AuthenticationMethods,
  wanted: unknown,
): AuthenticationMethods {
  return changeAuthenticationMethods(former, wanted as Record<string, boolean>, availableMethods(config), hasLdap);
}

function isSame(a: AuthenticationMethods, b: AuthenticationMethods): boolean {
  return a.Email === b.Email && a.Dev === b.Dev;
}

/**
 * Refuses settings with missing or archived channels, and locks the channels until the transaction ends. The caller administers the
 * organization, and so sees every channel.
 */
async function checkChannelSettings(tx: Transaction, realmId: number, settings: Partial<RealmSettings>): Promise<void> {
  for (const name of REALM_SETTING_NAMES.filter((candidate) => REALM_SETTINGS[candidate].isChannel)) {
    const channelId = settings[name];
    if (channelId === undefined || channelId === NO_CHANNEL) continue;
    const { isArchived, isPrivate } = await holdChannel(tx, realmId, Number(channelId));
    if (isArchived) throw new BadRequestError('Invalid channel ID');
    if (name === 'moderation_request_channel_id' && !isPrivate) {
      throw new BadRequestError(REFUSAL.channels.reportsNeedPrivate);
    }
  }
}

/** The methods after a change; refuses unsupported ones, and to disable all without another way to sign in. */
export function changeAuthenticationMethods(
  present: AuthenticationMethods,
  wanted: Readonly<Record<string, boolean>>,
  available: readonly AuthenticationMethod[],
  hasOther = false,
): AuthenticationMethods {
  const unknown = Object.keys(wanted).find((name) => !(available as readonly string[]).includes(name));
  if (unknown !== undefined) throw new BadRequestError(`Invalid authentication method: ${unknown}`);
  const methods: AuthenticationMethods = { ...present, ...wanted };
  if (!hasOther && !available.some((name) => methods[name])) {
    throw new BadRequestError(REFUSAL.organization.noMethod);
  }
  return methods;
}

/** The requested values, each validated alone; checks against the organization follow later. */
type WantedSettings = Partial<Record<RealmSettingName, unknown>>;

const TYPES = { boolean: 'boolean', integer: 'number', text: 'string', methods: 'object' } as const;
const TYPE_NAMES = { boolean: 'a boolean', integer: 'an integer', text: 'a string', methods: 'a dict' };

/** Settings with their own error texts. */
const REFUSALS: Partial<Record<RealmSettingName, (value: unknown) => string>> = {
  default_language: (value) => `Invalid language '${value}'`,
  video_chat_provider: (value) => `Invalid video_chat_provider ${value}`,
  giphy_rating: (value) => `Invalid giphy_rating ${value}`,
  jitsi_server_url: () => REFUSAL.organization.callServer,
};

/** The values in a JSON object of settings, in the catalogue's order; throws the first error. */
export function realmSettingsFromInput(json: string): WantedSettings {
  const sent = JSON.parse(json) as Record<string, unknown>;
  const unknown = Object.keys(sent).find((name) => !isRealmSettingName(name));
  if (unknown !== undefined) throw new BadRequestError(`There is no setting '${unknown}'`);
  const wanted = REALM_SETTING_NAMES.filter((name) => sent[name] !== undefined);
  return Object.fromEntries(wanted.map((name) => [name, valueFromInput(name, sent[name])]));
}

function valueFromInput(name: RealmSettingName, value: unknown): unknown {
  const setting = REALM_SETTINGS[name];
  const { type, words } = setting;
  if (words && typeof value === 'string' && Object.hasOwn(words, value)) return words[value];
  if (type === 'integer' && words) refuseBadValue(name, value);
  const fault = faultOf(name, setting, value);
  if (fault !== null) throw new BadRequestError(REFUSALS[name]?.(value) ?? fault);
  return value;
}

/** For settings that are a positive number or a word. */
function refuseBadValue(name: string, value: unknown): void {
  const isBad = typeof value === 'string' || (typeof value === 'number' && value <= 0);
  if (isBad) throw new InvalidParameterError(name, value);
}

function faultOf(name: string, { type, choices, range, maxLength, isValid }: RealmSetting, value: unknown) {
  const isOfType =
    typeof value === TYPES[type] && value !== null && (type !== 'integer' || Number.isSafeInteger(value));
  if (!isOfType) return `${name} is not ${TYPE_NAMES[type]}`;
  if (choices && !choices.includes(value as number | string)) return describeChoiceFault(name, type);
  if (range && Number(value) < range.min) return `${name} is too small`;
  if (range && Number(value) > range.max) return `${name} is too large`;
  if (maxLength !== undefined && codePointLength(String(value)) > maxLength) {
    return REFUSAL.requests.tooLong(name, String(maxLength));
  }
  if (isValid && !isValid(String(value))) return `Invalid ${name}`;
  return type === 'text' ? characterFault(name, String(value)) : null;
}

function describeChoiceFault(name: string, type: RealmSetting['type']): string {
  return type === 'text' ? `Invalid ${name}` : `Invalid ${name}: Value error, Not in the list of possible values`;
}

function characterFault(name: string, value: string): string | null {
  const position = findForbiddenInLines(value);
  return position === null ? null : `Invalid character in ${name}, at position ${position}.`;
}

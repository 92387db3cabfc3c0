import { REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { RealmSummary } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { isRealmSettingName, REALM_SETTINGS } from '@parley/shared/values';
import { command } from '../command/command';
import { as, operatedRealm } from '../command/operated';
import { integer, realm, text, withoutUndefined } from '../command/options';
import { areHoldersNamed, holders, permissionFor } from '../command/permission-holders';
import { timeOf } from '../command/present';

/** Creates an organization and its owner's account. */
export const realmCreate = command({
  services: ['realm'],
  summary: 'makes an organization and the account of its owner',
  options: {
    name: text('NAME'),
    subdomain: text('SUBDOMAIN'),
    'owner-email': text('EMAIL'),
    'owner-name': text('NAME'),
    'owner-password': text('PASSWORD').optional(),
    'org-type': integer('NUMBER').optional(),
  },
  examples: ["--name Acme --subdomain acme --owner-email ada@acme.org --owner-name 'Ada'"],
  async run({ realm }, options) {
    const { realmId, userId, email, apiKey } = await realm.createRealm(newCall(), {
      name: options.name,
      subdomain: options.subdomain,
      ownerEmail: options['owner-email'],
      ownerName: options['owner-name'],
      ...withoutUndefined({ ownerPassword: options['owner-password'], orgType: options['org-type'] }),
    });
    return { realm_id: realmId, user_id: userId, email, api_key: apiKey };
  },
});

export const realmList = command({
  services: ['realm'],
  summary: 'lists all organizations (the first thousand), with how many active accounts they have',
  options: {},
  async run({ realm: service }) {
    const { realms } = await service.listRealms(newCall(), {});
    return { realms: realms.map(publicRealm) };
  },
});

function publicRealm(each: RealmSummary) {
  const { id, subdomain, name, people, bots, createdAtMs, isDeactivated, dataDeletedFromMs, isPurged } = each;
  return {
    realm_id: id,
    subdomain,
    name,
    people,
    bots,
    created_at: timeOf(createdAtMs),
    is_deactivated: isDeactivated,
    ...(dataDeletedFromMs !== undefined && { data_deleted_from: timeOf(dataDeletedFromMs) }),
    is_purged: isPurged,
  };
}

export const realmShow = command({
  services: ['realm'],
  summary: 'shows an organization and the settings that it has chosen',
  options: { realm },
  async run({ realm: service }, { realm: subdomain }) {
    const organization = await service.getRealm(newCall(), { subdomain });
    const settings = Object.entries(JSON.parse(organization.settings) as Record<string, unknown>);
    return {
      realm_id: organization.id,
      subdomain,
      name: organization.name,
      description: organization.description,
      created_at: timeOf(organization.createdAtMs),
      is_deactivated: organization.isDeactivated,
      settings: settings.map(([name, value]) => ({ name, value: JSON.stringify(value) })),
    };
  },
});

export const realmSet = command({
  services: ['realm'],
  summary:
    'changes the name, the description or a setting of an organization: a value is JSON or text, a permission groups and accounts',
  options: {
    realm,
    name: text('NAME').optional(),
    description: text('TEXT').optional(),
    setting: text('NAME').optional(),
    value: text('JSON').optional(),
    ...holders,
    as,
  },
  examples: [
    "--realm acme --name 'Acme Inc.'",
    '--realm acme --setting message_retention_days --value 365',
    '--realm acme --setting can_create_groups --groups role:moderators --users bo@acme.org',
  ],
  async run({ realm: service }, { name, description, ...chosen }) {
    if (name === undefined && description === undefined && chosen.setting === undefined)
      throw new Error('nothing to change: give --name, --description or --setting');
    requireSetting(chosen);
    const { organization, actor } = await operatedRealm(service, chosen);
    const { setting, value } = chosen;
    const isPermission = setting !== undefined && value === undefined;
    await service.updateRealm(actor, {
      ...withoutUndefined({ name, description }),
      settings: JSON.stringify(setting === undefined || isPermission ? {} : { [setting]: fromJson(value as string) }),
      groupSettings: isPermission ? { [setting]: await permissionFor(service, actor, chosen) } : {},
    });
    return { realm_id: organization.id };
  },
});

interface Chosen {
  setting?: string | undefined;
  value?: string | undefined;
  groups?: readonly string[] | undefined;
  users?: readonly string[] | undefined;
}

/** The type of a setting's value. */
function requireSetting({ setting, value, ...to }: Chosen): void {
  if (setting !== undefined && Object.hasOwn(REALM_PERMISSION_SETTINGS, setting)) {
    if (value !== undefined || !areHoldersNamed(to))
      throw new Error(`"${setting}" is a permission: say who has it with --groups, --users or both`);
    return;
  }
  if (areHoldersNamed(to)) throw new Error('--groups and --users go with a --setting that is a permission');
  if ((setting === undefined) !== (value === undefined)) throw new Error('--setting and --value go together');
  if (setting === undefined) return;
  if (!isRealmSettingName(setting)) throw new Error(`there is no setting "${setting}"`);
  const { choices } = REALM_SETTINGS[setting];
  if (choices !== undefined && !choices.includes(fromJson(String(value)) as string | number))
    throw new Error(`${setting} must be one of ${choices.join(', ')} (it is "${value}")`);
}

/** Invalid JSON counts as text, so that words need no quotes. */
function fromJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const realmDeactivate = command({
  services: ['realm'],
  summary: 'closes an organization to everybody; its data stays, or is deleted after this many days',
  options: { realm, 'purge-after-days': integer('N').optional(), as },
  examples: ['--realm acme', '--realm acme --purge-after-days 30'],
  async run({ realm: service }, { 'purge-after-days': deletionDelayDays, ...named }) {
    const { organization, actor } = await operatedRealm(service, named);
    await service.deactivateRealm(actor, withoutUndefined({ deletionDelayDays }));
    return { realm_id: organization.id };
  },
});

export const realmReactivate = command({
  services: ['realm'],
  summary: 'opens an organization again, unless its data is deleted',
  options: { realm },
  async run({ realm: service }, { realm: subdomain }) {
    const { realmId } = await service.reactivateRealm(newCall(), { subdomain });
    return { realm_id: realmId };
  },
});

export const realmRename = command({
  services: ['realm'],
  summary: 'changes the subdomain of an organization: its clients sign in again there, and the former one is free',
  options: { realm, to: text('SUBDOMAIN') },
  examples: ['--realm acme --to acme-group'],
  async run({ realm: service }, { realm: subdomain, to: newSubdomain }) {
    const { realmId } = await service.renameRealm(newCall(), { subdomain, newSubdomain });
    return { realm_id: realmId, subdomain: newSubdomain };
  },
});

export const realmPurge = command({
  services: ['realm'],
  summary: 'has all data of a deactivated organization deleted for good, this many days from now (0: at once)',
  options: { realm, days: integer('N') },
  examples: ['--realm acme --days 14'],
  async run({ realm: service }, { realm: subdomain, days: delayDays }) {
    const { realmId, dataDeletedFromMs } = await service.scheduleRealmPurge(newCall(), { subdomain, delayDays });
    return { realm_id: realmId, data_deleted_from: timeOf(dataDeletedFromMs) };
  },
});

const TIMEOUT_MS = 300_000;

/** Fills an organization with people, channels and groups. */
export const realmFill = command({
  services: ['realm'],
  summary:
    'fills an organization with made-up users (bots among them), channels and groups; the same seed makes the same',
  options: {
    realm,
    users: integer('N'),
    channels: integer('M'),
    groups: integer('G').optional(),
    'subscriptions-per-user': integer('K').optional(),
    seed: integer('1').optional(),
  },
  examples: ['--realm acme --users 20000 --channels 2000'],
  async run({ realm: service }, { realm: subdomain, users, channels, groups, seed = 1, ...options }) {
    const { realmId, ...counts } = await service.fillRealm(newCall(undefined, TIMEOUT_MS), {
      subdomain,
      users,
      channels,
      ...withoutUndefined({ groups, subscriptionsPerUser: options['subscriptions-per-user'] }),
      seed,
    });
    return { realm_id: realmId, ...counts };
  },
});

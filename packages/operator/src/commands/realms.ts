import { REALM_PERMISSION_SETTINGS } from '@parley/shared/access';
import type { RealmSummary } from '@parley/shared/proto';
import { newCall } from '@parley/shared/rpc';
import { isRealmSettingName } from '@parley/shared/values';
import { command } from '../command/command';
import { as, operatedRealm } from '../command/operated';
import { integer, realm, text } from '../command/options';
import { areHoldersNamed, holders, permissionFor } from '../command/permission-holders';
import { timeOf } from '../command/time-of';
import { withoutUndefined } from '../command/without-undefined';

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
    'changes the name, the description or a setting of an organization: to a JSON value or a text, or, of a permission, to groups and accounts',
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

/** Which kind of value goes with the setting. */
function requireSetting({ setting, value, ...to }: Chosen): void {
  if (setting !== undefined && Object.hasOwn(REALM_PERMISSION_SETTINGS, setting)) {
    if (value !== undefined || !areHoldersNamed(to))
      throw new Error(`"${setting}" is a permission: say who has it with --groups, --users or both`);
    return;
  }
  if (areHoldersNamed(to)) throw new Error('--groups and --users go with a --setting that is a permission');
  if ((setting === undefined) !== (value === undefined)) throw new Error('--setting and --value go together');
  if (setting !== undefined && !isRealmSettingName(setting)) throw new Error(`there is no setting "${setting}"`);
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
  summary: 'closes an organization: nobody gets in; its data stays, unless it is to be deleted after so many days',
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
  summary: 'gives an organization another subdomain: its clients sign in there anew, and the former one is free',
  options: { realm, to: text('SUBDOMAIN') },
  examples: ['--realm acme --to acme-group'],
  async run({ realm: service }, { realm: subdomain, to: newSubdomain }) {
    const { realmId } = await service.renameRealm(newCall(), { subdomain, newSubdomain });
    return { realm_id: realmId, subdomain: newSubdomain };
  },
});

export const realmPurge = command({
  services: ['realm'],
  summary: 'has all data of a deactivated organization deleted so many days from now (0: at once), for good',
  options: { realm, days: integer('N') },
  examples: ['--realm acme --days 14'],
  async run({ realm: service }, { realm: subdomain, days: delayDays }) {
    const { realmId, dataDeletedFromMs } = await service.scheduleRealmPurge(newCall(), { subdomain, delayDays });
    return { realm_id: realmId, data_deleted_from: timeOf(dataDeletedFromMs) };
  },
});

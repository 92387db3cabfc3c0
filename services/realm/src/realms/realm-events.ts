import { type DomainEvent, type RealmChanged, realmChanged, realmPropertyChanged } from '@parley/shared/events';
import { availableMethods, type RealmSettings } from '@parley/shared/values';
import { publicAuthenticationMethods } from '@parley/shared/wire';
import type { Config } from '../config';
import type { RealmChanges } from './find-realm-changes';
import { toldNames } from './told-names';

/** Settings that clients get to know about together with others: what follows from them, or belongs to them. */
const TOLD_TOGETHER = [
  'allow_message_editing',
  'message_content_edit_limit_seconds',
  'message_edit_history_visibility_policy',
  'topics_policy',
] as const satisfies (keyof RealmSettings)[];

/** What is to be announced of an organization's changes. */
export function realmEvents(
  realmId: number,
  changes: Omit<RealmChanges, 'former' | 'formerPermissions'>,
  config: Pick<Config, 'API_BRANDS' | 'DEV_LOGIN'>,
): DomainEvent[] {
  const { name, settings, ...more } = changes;
  const { authentication_methods: methods, ...others } = settings;
  const { together, alone } = split(others);
  const data: RealmChanged = {
    settings: together,
    groupSettings: more.permissions,
    ...(methods && { authenticationMethods: publicAuthenticationMethods(methods, availableMethods(config)) }),
    ...(more.description !== undefined && { description: more.description }),
  };
  const properties = Object.entries({ ...(name !== undefined && { name }), ...alone });
  const told = properties.flatMap(([property, value]) =>
    toldNames(property, config.API_BRANDS).map((alias) => ({ name: alias, value })),
  );
  return [
    ...told.map((property) => realmPropertyChanged(realmId, property)),
    ...(isAnything(data) ? [realmChanged(realmId, data)] : []),
  ];
}

type Settings = RealmChanged['settings'];

function split(settings: Settings): { together: Settings; alone: Settings } {
  const isTogether = ([name]: [string, unknown]) => (TOLD_TOGETHER as readonly string[]).includes(name);
  const entries = Object.entries(settings);
  return {
    together: Object.fromEntries(entries.filter(isTogether)),
    alone: Object.fromEntries(entries.filter((entry) => !isTogether(entry))),
  };
}

function isAnything({ settings, groupSettings, ...rest }: RealmChanged): boolean {
  return Object.keys({ ...settings, ...groupSettings, ...rest }).length > 0;
}

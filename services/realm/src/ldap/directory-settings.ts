import { isIP } from 'node:net';
import { createSecureContext } from 'node:tls';
import { BadRequestError } from '@parley/shared/errors';
import type { LdapGroupRule, LdapRoleRule, SetLdapDirectoryRequest } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { ROLE_VALUES } from '@parley/shared/values';
import { LOGIN_NAME, loginFilter, parseFilter } from './filters';

/** Which people get an account: all in the directory, those who sign in, or none. */
const NEW_ACCOUNTS = ['sync', 'sign_in', 'nobody'] as const;

export type NewAccounts = (typeof NEW_ACCOUNTS)[number];

/** The settings of a directory, without the password of its service account. */
export interface DirectorySettings {
  isEnabled: boolean;
  url: string;
  ca: string;
  bindDn: string;
  userBase: string;
  userFilter: string;
  loginFilter: string;
  idAttribute: string;
  emailAttribute: string;
  nameAttribute: string;
  newAccounts: NewAccounts;
  /** Null: derived from the number of accounts. */
  maxDeactivations: number | null;
  groupBase: string;
  groupFilter: string;
  groupRules: readonly LdapGroupRule[];
  roleRules: readonly LdapRoleRule[];
}

const DEFAULTS: DirectorySettings = {
  isEnabled: false,
  url: '',
  ca: '',
  bindDn: '',
  userBase: '',
  userFilter: '(objectClass=person)',
  loginFilter: `(|(uid=${LOGIN_NAME})(mail=${LOGIN_NAME}))`,
  idAttribute: 'entryUUID',
  emailAttribute: 'mail',
  nameAttribute: 'cn',
  newAccounts: 'sync',
  maxDeactivations: null,
  groupBase: '',
  groupFilter:
    '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=posixGroup)(objectClass=group))',
  groupRules: [],
  roleRules: [],
};

const MAX_TEXT_LENGTH = 1_000;
const MAX_FILTER_LENGTH = 4_000;
const MAX_CA_LENGTH = 100_000;
const MAX_RULES = 200;
const MAX_DEACTIVATIONS = 1_000_000;

/** The settings after a change; refuses those that cannot work, and connections without TLS. */
export function settingsFromInput(
  former: DirectorySettings | null,
  { groupRules, roleRules, ...request }: SetLdapDirectoryRequest,
): DirectorySettings {
  const { starttls, subdomain: _subdomain, bindPassword: _password, maxDeactivations, ...given } = request;
  const base = former ?? DEFAULTS;
  const merged = { ...base, ...given } as DirectorySettings;
  const settings: DirectorySettings = {
    ...merged,
    url: given.url === undefined ? merged.url : urlFromInput(given.url, starttls === true),
    maxDeactivations: maxDeactivations === undefined ? base.maxDeactivations : boundFromInput(maxDeactivations),
    groupRules: groupRules?.rules ?? base.groupRules,
    roleRules: roleRules?.rules ?? base.roleRules,
  };
  check(settings);
  return settings;
}

function urlFromInput(text: string, hasStartTls: boolean): string {
  const url = text.length <= MAX_TEXT_LENGTH && URL.canParse(text) ? new URL(text) : null;
  const isBare = url !== null && ['', '/'].includes(url.pathname) && !url.search && !url.hash && !url.username;
  if (!url || !isBare || !['ldap:', 'ldaps:'].includes(url.protocol) || !isHost(url.hostname)) {
    throw new BadRequestError('url must be ldaps://host[:port], or ldap://host[:port] with STARTTLS');
  }
  if (url.protocol === 'ldaps:' && hasStartTls) throw new BadRequestError('STARTTLS is for ldap://; ldaps:// has TLS');
  if (url.protocol === 'ldap:' && !hasStartTls) {
    throw new BadRequestError('ldap:// without STARTTLS is refused: passwords would travel unencrypted');
  }
  return `${url.protocol}//${url.host}`;
}

function isHost(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) !== 0 || /^[A-Za-z0-9]([A-Za-z0-9._-]{0,252})$/.test(name);
}

function boundFromInput(bound: number): number | null {
  if (bound === -1) return null;
  if (bound < 0 || bound > MAX_DEACTIVATIONS) throw new BadRequestError('max_deactivations must be a number from 0 on');
  return bound;
}

function check(settings: DirectorySettings): void {
  if (settings.url === '') throw new BadRequestError('url is missing');
  if (settings.userBase === '')
    throw new BadRequestError('user_base is missing: where people are, as ou=people,dc=example,dc=org');
  for (const name of ['bindDn', 'userBase', 'groupBase'] as const) checkText(name, settings[name], MAX_TEXT_LENGTH);
  for (const name of ['idAttribute', 'emailAttribute', 'nameAttribute'] as const) checkAttribute(name, settings[name]);
  for (const name of ['userFilter', 'loginFilter', 'groupFilter'] as const) checkFilter(name, settings);
  if (!settings.loginFilter.includes(LOGIN_NAME)) throw new BadRequestError(`login_filter lacks ${LOGIN_NAME}`);
  if (!NEW_ACCOUNTS.includes(settings.newAccounts)) {
    throw new BadRequestError(`new_accounts must be one of ${NEW_ACCOUNTS.join(', ')}`);
  }
  checkAuthorities(settings.ca);
  checkRules(settings);
}

function checkText(name: string, text: string, max: number): void {
  if (text.length > max) throw new BadRequestError(REFUSAL.requests.tooLong(snakeCase(name), String(max)));
  if (/\p{Cc}/u.test(text)) throw new BadRequestError(`${snakeCase(name)} has control characters`);
}

function checkAttribute(name: string, text: string): void {
  if (!/^[A-Za-z][A-Za-z0-9-]{0,99}$/.test(text)) {
    throw new BadRequestError(`${snakeCase(name)} must be the name of an attribute`);
  }
}

function checkFilter(name: 'userFilter' | 'loginFilter' | 'groupFilter', settings: DirectorySettings): void {
  checkText(name, settings[name], MAX_FILTER_LENGTH);
  try {
    if (name === 'loginFilter') loginFilter(settings, 'somebody');
    else parseFilter(settings[name]);
  } catch (error) {
    throw new BadRequestError(`${snakeCase(name)} is no LDAP filter: ${(error as Error).message}`);
  }
}

function checkAuthorities(ca: string): void {
  if (ca.length > MAX_CA_LENGTH) throw new BadRequestError(`ca is too long (limit: ${MAX_CA_LENGTH} characters)`);
  if (ca === '') return;
  try {
    if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw new Error('no certificate');
    createSecureContext({ ca });
  } catch (error) {
    throw new BadRequestError(`ca has no certificates in PEM: ${(error as Error).message}`);
  }
}

function checkRules({ groupBase, groupRules, roleRules }: DirectorySettings): void {
  if (groupRules.length + roleRules.length > MAX_RULES)
    throw new BadRequestError(`too many rules (limit: ${MAX_RULES})`);
  for (const { groupName } of [...groupRules, ...roleRules]) {
    checkText('rule', groupName, MAX_TEXT_LENGTH);
    if (groupName === '') throw new BadRequestError('a rule names no group of the directory');
  }
  const roles: readonly number[] = ROLE_VALUES;
  if (roleRules.some(({ role }) => !roles.includes(role))) throw new BadRequestError('Invalid role');
  if (groupBase === '' && groupRules.length + roleRules.length > 0) {
    throw new BadRequestError('group_base is missing: where groups are, as ou=groups,dc=example,dc=org');
  }
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

import { BadRequestError } from '@parley/shared/errors';
import type { OidcProviderSettings } from '@parley/shared/proto';
import { codePointLength, findForbiddenCharacter, isWebUrl, ROLE_VALUES } from '@parley/shared/values';

/** Whether accounts are made at the first sign-in, and for whom. */
export const NEW_ACCOUNTS = ['invite_only', 'allowed_domains', 'everyone'] as const;
/** When API keys made through a provider end. */
export const KEYS_END_AT = ['deactivation', 'logout'] as const;

const MAX_NAME_LENGTH = 100;
const MAX_TEXT_LENGTH = 500;
const MAX_URL_LENGTH = 1_000;
const MAX_SCOPES = 30;
const MAX_RULES = 1_000;
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** The checked settings of a provider; groups are checked by the caller. */
export function providerFromInput(input: OidcProviderSettings): OidcProviderSettings {
  const settings = {
    ...input,
    displayName: textFrom('display_name', input.displayName, MAX_NAME_LENGTH),
    iconUrl: input.iconUrl.trim(),
    issuer: issuerFrom(input.issuer),
    clientId: textFrom('client_id', input.clientId, MAX_TEXT_LENGTH),
    scopes: scopesFrom(input.scopes),
    groupsClaim: claimFrom('groups_claim', input.groupsClaim),
    rolesClaim: claimFrom('roles_claim', input.rolesClaim),
  };
  if (settings.iconUrl !== '' && !isHttps(settings.iconUrl)) throw invalid('icon_url', 'must be an address with https');
  requireOneOf('new_accounts', settings.newAccounts, NEW_ACCOUNTS);
  requireOneOf('keys_end_at', settings.keysEndAt, KEYS_END_AT);
  checkRules('group_rules', settings.groupRules);
  checkRules('role_rules', settings.roleRules);
  const isRole = (role: number) => (ROLE_VALUES as readonly number[]).includes(role);
  if (!settings.roleRules.every(({ role }) => isRole(role)))
    throw invalid('role_rules', 'names a role that does not exist');
  return settings;
}

/** The secret; null: a public client. */
export function secretFromInput(text: string): string | null {
  if (text.length > MAX_TEXT_LENGTH || findForbiddenCharacter(text) !== null) {
    throw invalid('client_secret', `must have at most ${MAX_TEXT_LENGTH} characters, all printable`);
  }
  return text === '' ? null : text;
}

function textFrom(name: string, input: string, maxLength: number): string {
  const text = input.trim();
  if (text === '' || codePointLength(text) > maxLength || findForbiddenCharacter(text) !== null) {
    throw invalid(name, `must have 1 to ${maxLength} characters, all printable`);
  }
  return text;
}

/** A claim's name; empty: none. */
function claimFrom(name: string, input: string): string {
  return input.trim() === '' ? '' : textFrom(name, input, MAX_TEXT_LENGTH);
}

/** As the provider names itself: a slash at its end is part of it. */
function issuerFrom(input: string): string {
  const issuer = input.trim();
  const isPossible = isHttps(issuer) || isLoopback(issuer);
  if (!isPossible || /[?#]/.test(issuer)) throw invalid('issuer', 'must be an address with https, without "?" and "#"');
  return issuer;
}

function isHttps(text: string): boolean {
  if (text.length > MAX_URL_LENGTH || !isWebUrl(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

/** Without TLS a provider is believed on this machine only; the service reaches it where OUTGOING_ALLOW says so. */
export function isLoopback(issuer: string): boolean {
  if (issuer.length > MAX_URL_LENGTH || !isWebUrl(issuer)) return false;
  const { protocol, hostname } = new URL(issuer);
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}

function scopesFrom(input: readonly string[]): string[] {
  const scopes = [...new Set(['openid', ...input.map((scope) => scope.trim())])];
  if (scopes.length > MAX_SCOPES || !scopes.every((scope) => SCOPE.test(scope))) {
    throw invalid('scopes', `must be at most ${MAX_SCOPES} words without spaces and quotes`);
  }
  return scopes;
}

function requireOneOf(name: string, value: string, choices: readonly string[]): void {
  if (!choices.includes(value)) throw invalid(name, `must be one of ${choices.join(', ')}`);
}

function checkRules(name: string, rules: readonly { value: string }[]): void {
  const isPossible = ({ value }: { value: string }) =>
    value !== '' && codePointLength(value) <= MAX_TEXT_LENGTH && findForbiddenCharacter(value) === null;
  if (rules.length > MAX_RULES || !rules.every(isPossible)) {
    throw invalid(name, `must be at most ${MAX_RULES} rules, each with a value of 1 to ${MAX_TEXT_LENGTH} characters`);
  }
}

function invalid(name: string, what: string): BadRequestError {
  return new BadRequestError(`${name} ${what}.`);
}

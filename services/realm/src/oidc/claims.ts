import { ROLES } from '@parley/shared/values';

export type Claims = Readonly<Record<string, unknown>>;

/** A provider's claims about the person who signs in. */
export interface SignedIn {
  issuer: string;
  subject: string;
  sid: string | null;
  /** From the ID token and the user info. */
  claims: Claims;
  /** Null: the provider names none. */
  address: { email: string; isVerified: boolean } | null;
}

/** Hosts of Entra, which says by `xms_edov` that the owner of the address's domain was verified, and has no `email_verified`. */
const ENTRA = new Set(['login.microsoftonline.com', 'login.microsoftonline.us', 'login.partner.microsoftonline.cn']);

/** The address in the first document that confirms one, else in the first that names one. */
export function addressOf(issuer: string, documents: readonly Claims[]): SignedIn['address'] {
  const named = documents.flatMap((claims) => {
    const { email } = claims;
    return typeof email === 'string' && email !== '' ? [{ email, isVerified: isVerified(issuer, claims) }] : [];
  });
  return named.find((address) => address.isVerified) ?? named[0] ?? null;
}

function isVerified(issuer: string, claims: Claims): boolean {
  if (claims['email_verified'] === true) return true;
  return ENTRA.has(new URL(issuer).hostname) && [true, 1, '1'].includes(claims['xms_edov'] as never);
}

/** The name for a new account; empty: the provider names none. */
export function fullNameOf({
  name,
  given_name: given,
  family_name: family,
  preferred_username: login,
}: Claims): string {
  const texts = [name, [given, family].filter((each) => typeof each === 'string').join(' '), login];
  return (texts.find((text) => typeof text === 'string' && text.trim() !== '') as string | undefined) ?? '';
}

const MAX_VALUES = 10_000;

/** The texts at a claim: one, or a list. A dot leads into an object, unless a claim has that very name. */
export function valuesAt(claims: Claims, path: string): ReadonlySet<string> {
  const found = Object.hasOwn(claims, path) ? claims[path] : path.split('.').reduce<unknown>(memberOf, claims);
  const list = Array.isArray(found) ? found.slice(0, MAX_VALUES) : [found];
  return new Set(list.filter((each): each is string => typeof each === 'string'));
}

/** Entra leaves out a claim with too many values, and says where they could be asked for: such a claim decides nothing. */
export function isLeftOut({ _claim_names: elsewhere }: Claims, path: string): boolean {
  return typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, path);
}

function memberOf(object: unknown, name: string): unknown {
  const isObject = typeof object === 'object' && object !== null && Object.hasOwn(object, name);
  return isObject ? (object as Claims)[name] : undefined;
}

interface Rules {
  groupsClaim: string;
  groupRules: readonly { value: string; groupId: number }[];
  rolesClaim: string;
  roleRules: readonly { value: string; role: number }[];
}

/** The groups that the claims decide; null: they decide none. */
export function groupsOf(claims: Claims, { groupsClaim, groupRules }: Rules): number[] | null {
  if (groupsClaim === '' || isLeftOut(claims, groupsClaim)) return null;
  const values = valuesAt(claims, groupsClaim);
  return [...new Set(groupRules.filter(({ value }) => values.has(value)).map(({ groupId }) => groupId))];
}

/** The role that the claims decide; null: none. What a former sign-in has given ends with its claim: the account is a member then. */
export function roleOf(claims: Claims, { rolesClaim, roleRules }: Rules, givenRole: number | null): number | null {
  if (rolesClaim === '' || isLeftOut(claims, rolesClaim)) return null;
  const values = valuesAt(claims, rolesClaim);
  const decided = roleRules.find(({ value }) => values.has(value));
  if (decided) return decided.role;
  return givenRole === null ? null : ROLES.member;
}

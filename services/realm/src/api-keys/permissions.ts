import type { Credential, UsedCredential } from '@parley/shared/proto';

type Outcome = 'ok' | 'unknown' | 'realm_deactivated' | 'user_deactivated' | 'wrong_subdomain';

/** The account of a key, for authentication. */
export interface KeyHolder {
  email: string;
  deliveryEmail: string;
  isActive: boolean;
  subdomain: string;
  isRealmDeactivated: boolean;
}

/** Whether these credentials authenticate the key's holder; the result is the first reason against it. */
export function judgeCredential(
  credential: Pick<Credential, 'subdomain' | 'email'>,
  holder: KeyHolder | null,
): Outcome {
  if (holder === null || !isAddressOf(holder, credential.email)) return 'unknown';
  if (holder.isRealmDeactivated) return 'realm_deactivated';
  if (!holder.isActive) return 'user_deactivated';
  if (holder.subdomain !== credential.subdomain) return 'wrong_subdomain';
  return 'ok';
}

/** The account of a key that was valid before, with the data that may have changed since. */
export type HolderNow = KeyHolder & { role: number };

/**
 * Whether a caller's credential is still valid: by judgeCredential(), and the account must equal the one that the gateway has
 * cached.
 */
export function isStillGood({ email, subdomain, role }: UsedCredential, holder: HolderNow | null): boolean {
  if (holder === null || (role !== undefined && role !== holder.role)) return false;
  return judgeCredential({ email, subdomain: subdomain ?? holder.subdomain }, holder) === 'ok';
}

function isAddressOf({ email, deliveryEmail }: KeyHolder, address: string): boolean {
  const wanted = address.toLowerCase();
  return wanted === email.toLowerCase() || wanted === deliveryEmail.toLowerCase();
}

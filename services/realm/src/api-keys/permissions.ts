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

/** Judges whether these credentials authenticate the key's holder; the result is the first reason against it. */
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

/** The account of a key that was valid before, with what may have changed since. */
export type HolderNow = KeyHolder & { role: number };

/** Whether what a caller was let in with is still good: by judgeCredential(), and what the gateway recalls of the account still holds. */
export function isStillGood({ email, subdomain, role }: UsedCredential, holder: HolderNow | null): boolean {
  if (holder === null || (role !== undefined && role !== holder.role)) return false;
  return judgeCredential({ email, subdomain: subdomain ?? holder.subdomain }, holder) === 'ok';
}

function isAddressOf({ email, deliveryEmail }: KeyHolder, address: string): boolean {
  const wanted = address.toLowerCase();
  return wanted === email.toLowerCase() || wanted === deliveryEmail.toLowerCase();
}

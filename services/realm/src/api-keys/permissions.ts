import type { Credential } from '@parley/shared/proto';

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

function isAddressOf({ email, deliveryEmail }: KeyHolder, address: string): boolean {
  const wanted = address.toLowerCase();
  return wanted === email.toLowerCase() || wanted === deliveryEmail.toLowerCase();
}

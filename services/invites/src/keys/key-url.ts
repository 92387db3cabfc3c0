import { realmUrl } from '@parley/shared/values';
import type { KeyKind } from './invitation-key';

/** Where somebody goes to accept, in the organization of that subdomain. */
export function keyUrl(
  kind: KeyKind,
  key: string,
  { subdomain, externalHost }: { subdomain: string; externalHost: string },
): string {
  const origin = realmUrl(subdomain, externalHost);
  return kind === 'link' ? `${origin}/join/${key}/` : `${origin}/accounts/do_confirm/${key}`;
}

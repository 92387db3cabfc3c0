import type { User } from '@parley/shared/proto';
import { isAdministrator } from '@parley/shared/values';

/** May the caller set statuses by whose they are? One's own has a door of its own. */
export function maySetStatuses({ role }: Pick<User, 'role'>): boolean {
  return isAdministrator(role);
}

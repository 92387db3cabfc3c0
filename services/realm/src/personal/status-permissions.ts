import type { User } from '@parley/shared/proto';
import { isAdministrator } from '@parley/shared/values';

/** Whether the caller may set others' statuses. The own status has a separate endpoint. */
export function maySetStatuses({ role }: Pick<User, 'role'>): boolean {
  return isAdministrator(role);
}

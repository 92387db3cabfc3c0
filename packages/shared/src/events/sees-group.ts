import type { ClientView } from './declare-event';

/** Whether the client knows deactivated groups as such; for others they are gone. */
export function knowsDeactivatedGroups({ capabilities }: ClientView): boolean {
  return capabilities.includes('include_deactivated_groups');
}

/** Whether a client is told what becomes of a group, see `isFor` of a PublicShape. */
export function seesGroup({ isDeactivated }: { isDeactivated: boolean }, view: ClientView): boolean {
  return !isDeactivated || knowsDeactivatedGroups(view);
}

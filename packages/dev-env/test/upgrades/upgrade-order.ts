import type { ServiceName } from '../../src/network/replica';

/**
 * In which an upgrade replaces the services, each after those that it calls: so nobody calls a service of an earlier version than its
 * own. To take an upgrade back, from the end.
 */
export const UPGRADE_ORDER: readonly ServiceName[] = ['realm', 'messages', 'invites', 'events', 'scheduler', 'gateway'];

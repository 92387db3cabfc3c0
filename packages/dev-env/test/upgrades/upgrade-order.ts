import type { ServiceName } from '../../src/network/replica';

/**
 * The order in which an upgrade replaces the services, each after those that it calls: so no service calls one of an earlier version. To
 * take an upgrade back, from the end.
 */
export const UPGRADE_ORDER: readonly ServiceName[] = ['realm', 'messages', 'invites', 'events', 'scheduler', 'gateway'];

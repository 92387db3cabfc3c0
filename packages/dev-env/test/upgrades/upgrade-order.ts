import type { ServiceName } from '../../src/network/replica';

/**
 * The order in which an upgrade replaces the services, each after those that it calls, so that no service calls an earlier
 * version. Reverting an upgrade uses the reverse order.
 */
export const UPGRADE_ORDER: readonly ServiceName[] = ['realm', 'messages', 'invites', 'events', 'scheduler', 'gateway'];

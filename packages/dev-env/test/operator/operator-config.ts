import { loadConfig, type OperatorConfig } from '@parley/operator/config';
import type { TestNetwork } from '../../src';

/** With which the operator's command finds the services of a network. */
export function operatorConfig({ addresses }: TestNetwork, settings: NodeJS.ProcessEnv = {}): OperatorConfig {
  return loadConfig({
    REALM_ADDRESS: addresses.realm,
    MESSAGES_ADDRESS: addresses.messages,
    INVITES_ADDRESS: addresses.invites,
    SCHEDULER_ADDRESS: addresses.scheduler,
    EVENTS_ADDRESS: addresses.events,
    ...settings,
  });
}

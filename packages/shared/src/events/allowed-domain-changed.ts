import { publicAllowedDomain } from '../wire';
import { declareEvent } from './declare-event';

export interface AllowedDomainChanged {
  domain: string;
  allowsSubdomains: boolean;
}

/** Whether subdomains of an allowed domain are allowed changed. Public event `realm_domains`, for everybody. */
export const allowedDomainChanged = declareEvent<AllowedDomainChanged>()('allowed-domain.changed', [
  {
    type: 'realm_domains',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: (entry) => ({ type: 'realm_domains', op: 'change', realm_domain: publicAllowedDomain(entry) }),
  },
]);

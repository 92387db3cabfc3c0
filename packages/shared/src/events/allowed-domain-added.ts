import { publicAllowedDomain } from '../wire';
import { declareEvent } from './declare-event';

export interface AllowedDomainAdded {
  domain: string;
  allowsSubdomains: boolean;
}

/** Addresses of one more domain may join the organization. Public event `realm_domains`, for everybody. */
export const allowedDomainAdded = declareEvent<AllowedDomainAdded>()('allowed-domain.added', [
  {
    type: 'realm_domains',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: (entry) => ({ type: 'realm_domains', op: 'add', realm_domain: publicAllowedDomain(entry) }),
  },
]);

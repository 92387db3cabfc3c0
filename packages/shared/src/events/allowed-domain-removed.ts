import { declareEvent } from './declare-event';

export interface AllowedDomainRemoved {
  domain: string;
}

/** Addresses of a domain may join the organization no more. Public event `realm_domains`, for everybody. */
export const allowedDomainRemoved = declareEvent<AllowedDomainRemoved>()('allowed-domain.removed', [
  {
    type: 'realm_domains',
    audience: () => ({ to: 'realm' }),
    variant: () => '',
    render: ({ domain }) => ({ type: 'realm_domains', op: 'remove', domain }),
  },
]);

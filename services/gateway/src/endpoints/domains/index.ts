export { addAllowedDomain } from './add-allowed-domain';
export { listAllowedDomains } from './list-allowed-domains';
export { removeAllowedDomain } from './remove-allowed-domain';
export { updateAllowedDomain } from './update-allowed-domain';

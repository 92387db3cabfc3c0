import type { OrganizationImage } from '@parley/shared/proto';
import { organizationIconUrl } from '@parley/shared/wire';
import type { UserRequest } from '../../http/endpoint';

/** Where the icon of the caller's organization is, among its pictures. */
export function organizationIconOf({ call, subdomain }: UserRequest, images: OrganizationImage[]): string {
  return organizationIconUrl({ id: call.realmId, subdomain, images });
}

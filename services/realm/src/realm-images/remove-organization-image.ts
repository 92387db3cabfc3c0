import { announce } from '@parley/shared/bus';
import { realmImageChanged } from '@parley/shared/events';
import type { Organization, OrganizationImages, RemoveOrganizationImageRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { findRealm } from '../realms/realms.sql';
import { imageKindFromInput } from './image-kind-from-input';
import { deleteRealmImage } from './realm-images.sql';

/** Goes back to the default icon or logo. */
export async function removeOrganizationImage(
  ctx: Context,
  caller: Caller,
  request: RemoveOrganizationImageRequest,
): Promise<OrganizationImages> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const kind = imageKindFromInput(request.kind);
    const wasThere = await deleteRealmImage(tx, realmId, kind);
    const { subdomain, images } = (await findRealm(tx, realmId)) as Organization;
    if (wasThere) await announce(tx, realmImageChanged(realmId, { realmId, subdomain, kind, version: null }));
    return { images };
  });
}

import { announce } from '@parley/shared/bus';
import { realmImageChanged } from '@parley/shared/events';
import type { Organization, OrganizationImages, SetOrganizationImageRequest } from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import type { Context } from '../context';
import { requireAdministrator } from '../guards';
import { changeOrganization } from '../realms/change-organization';
import { findRealm } from '../realms/realms.sql';
import { getOwnUser } from '../users/get-own-user';
import { imageKindFromInput } from './image-kind-from-input';
import { makeOrganizationImage, uploadOf } from './organization-image-file';
import { storeRealmImage } from './realm-images.sql';

/** Gives the organization an icon or logo made of an uploaded picture. */
export async function setOrganizationImage(
  ctx: Context,
  caller: Caller,
  { kind: wantedKind, files }: SetOrganizationImageRequest,
): Promise<OrganizationImages> {
  requireAdministrator(await getOwnUser(ctx, caller));
  const kind = imageKindFromInput(wantedKind);
  // Done before the transaction begins: it takes longer than anybody should wait for the organization's row.
  const image = await makeOrganizationImage(uploadOf(files, kind), kind);
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }) => {
    const version = ctx.clock.now();
    await storeRealmImage(tx, realmId, { ...image, kind, uploadedAtMs: version });
    const { subdomain, images } = (await findRealm(tx, realmId)) as Organization;
    await announce(tx, realmImageChanged(realmId, { realmId, subdomain, kind, version }));
    return { images };
  });
}

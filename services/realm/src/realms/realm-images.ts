import { announce } from '@parley/shared/bus';
import { BadRequestError } from '@parley/shared/errors';
import { realmImageChanged } from '@parley/shared/events';
import type {
  GetOrganizationImageRequest,
  Organization,
  OrganizationImageFile,
  OrganizationImages,
  RemoveOrganizationImageRequest,
  SetOrganizationImageRequest,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { ORGANIZATION_IMAGE_KINDS, type OrganizationImageKind } from '@parley/shared/wire';
import { getOwnUser } from '../accounts/get-own-user';
import { requireAdministrator } from '../base/guards';
import { possibleIds, possibleTexts } from '../base/possible-values';
import type { Context } from '../context';
import { changeOrganization } from '../organization/change-organization';
import { findRealm } from '../organization/realms.sql';
import { makeOrganizationImage, uploadOf } from './organization-image-file';

const NONE: OrganizationImageFile = { contentType: '', bytes: Buffer.alloc(0) };

/** The bytes of an icon or logo. For everybody: the sign-in page shows it. */
export async function getOrganizationImage(
  ctx: Context,
  request: GetOrganizationImageRequest,
): Promise<OrganizationImageFile> {
  const [realmId] = possibleIds([request.realmId]);
  const [kind] = possibleTexts([request.kind]);
  if (realmId === undefined || kind === undefined) return NONE;
  const image = await ctx.prisma.realmImage.findUnique({ where: { realmId_kind: { realmId, kind } } });
  return image === null ? NONE : { contentType: image.contentType, bytes: Buffer.from(image.bytes) };
}

/** Sets the organization's icon or logo from an uploaded picture. */
export async function setOrganizationImage(
  ctx: Context,
  caller: Caller,
  { kind: wantedKind, files }: SetOrganizationImageRequest,
): Promise<OrganizationImages> {
  requireAdministrator(await getOwnUser(ctx, caller));
  const kind = imageKindFromInput(wantedKind);
  // Decoded before the transaction: it takes too long for holding the organization's lock.
  const image = await makeOrganizationImage(uploadOf(files, kind), kind);
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }, prisma) => {
    const version = ctx.clock.now();
    const row = { ...image, uploadedAt: new Date(version) };
    await prisma.realmImage.upsert({
      where: { realmId_kind: { realmId, kind } },
      create: { realmId, kind, ...row },
      update: row,
    });
    const { subdomain, images } = (await findRealm(tx, realmId)) as Organization;
    await announce(tx, realmImageChanged(realmId, { realmId, subdomain, kind, version }));
    return { images };
  });
}

/** Restores the default icon or logo. */
export async function removeOrganizationImage(
  ctx: Context,
  caller: Caller,
  request: RemoveOrganizationImageRequest,
): Promise<OrganizationImages> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }, prisma) => {
    const kind = imageKindFromInput(request.kind);
    const { count } = await prisma.realmImage.deleteMany({ where: { realmId, kind } });
    const { subdomain, images } = (await findRealm(tx, realmId)) as Organization;
    if (count > 0) await announce(tx, realmImageChanged(realmId, { realmId, subdomain, kind, version: null }));
    return { images };
  });
}

function imageKindFromInput(text: string): OrganizationImageKind {
  const kind = ORGANIZATION_IMAGE_KINDS.find((candidate) => candidate === text);
  if (kind === undefined) throw new BadRequestError('Invalid kind of image');
  return kind;
}

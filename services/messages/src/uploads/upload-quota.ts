import { announce } from '@parley/shared/bus';
import { BadRequestError, RealmUploadQuotaError } from '@parley/shared/errors';
import { actPerformed } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
import type { GetUploadQuotaRequest, SetUploadQuotaRequest, UploadQuota } from '@parley/shared/proto';
import type { Call } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import type { Context, Tables } from '../context';
import { findOwnersSpace, findSpace } from './attachment.sql';
import { findOwnQuota, ORGANIZATION, type OwnQuota, type Space } from './upload-quota.sql';

const MIB = 1024 * 1024;
const MAX_MIB = 999_999_999;

type Configured = Pick<Context, 'config'>;

/** The quota of an organization; null: no limit. */
export function quotaMib({ config }: Configured, own: OwnQuota | null): number | null {
  return own ? own.mib : (config.UPLOAD_QUOTA_MIB ?? null);
}

/** The quota of one account; null: no limit. */
function ownersQuotaMib({ config }: Configured, own: OwnQuota | null): number | null {
  return own ? own.mib : config.ACCOUNT_UPLOAD_QUOTA_MIB;
}

/** Throws unless the organization has room for this size. */
export function checkQuota(ctx: Configured, { bytes, quota }: Space): void {
  if (isOver(bytes, quotaMib(ctx, quota))) throw new RealmUploadQuotaError();
}

/** Throws unless the account has room for this size. */
export function checkOwnersQuota(ctx: Configured, { bytes, quota }: Space): void {
  const mib = ownersQuotaMib(ctx, quota);
  if (!isOver(bytes, mib)) return;
  throw new RealmUploadQuotaError(REFUSAL.files.ownQuota(String(mib)));
}

function isOver(bytes: number, mib: number | null): boolean {
  return mib !== null && bytes > mib * MIB;
}

/** Size and quota of an organization or one account, for the operator's command. */
export async function getUploadQuota(ctx: Context, request: GetUploadQuotaRequest): Promise<UploadQuota> {
  const { realmId, userId } = request;
  const isOfAccount = userId !== undefined;
  const { bytes, quota } = isOfAccount
    ? await findOwnersSpace(ctx.db, { realmId, ownerId: userId, exceptPathId: '' })
    : await findSpace(ctx.db, realmId);
  const mib = isOfAccount ? ownersQuotaMib(ctx, quota) : quotaMib(ctx, quota);
  return { usedBytes: bytes, allowance: presentMib(mib), isOwn: quota !== null };
}

/** Sets a quota that overrides the default, or removes it; recorded as an act of the operator. */
export async function setUploadQuota(ctx: Context, call: Call, request: SetUploadQuotaRequest): Promise<UploadQuota> {
  const { realmId, userId = ORGANIZATION } = request;
  const own = request.own ? { mib: request.own.mib ?? null } : null;
  checkMib(own?.mib ?? 0);
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const before = wordOf(await findOwnQuota(tx, realmId, userId));
    const after = wordOf(own);
    if (before === after) return;
    await putOwnQuota(prisma, { realmId, userId }, own);
    const subject =
      userId === ORGANIZATION ? { kind: 'organization', ids: [realmId] } : { kind: 'user', ids: [userId] };
    const deed = { name: 'set-upload-quota', actor: { kind: 'operator' as const }, requestId: call.requestId };
    const change = { before: { upload_quota_mib: before }, after: { upload_quota_mib: after } };
    await announce(tx, actPerformed(realmId, { ...deed, ...subject, ...change }));
  });
  return getUploadQuota(ctx, request);
}

/** Null: the default applies again. */
async function putOwnQuota({ uploadQuota }: Tables, key: { realmId: number; userId: number }, own: OwnQuota | null) {
  if (own === null) await uploadQuota.deleteMany({ where: key });
  else await uploadQuota.upsert({ where: { realmId_userId: key }, create: { ...key, ...own }, update: own });
}

/** Absent: no limit. */
export function presentMib(mib: number | null): { mib?: number } {
  return mib === null ? {} : { mib };
}

function checkMib(mib: number): void {
  if (Number.isInteger(mib) && mib >= 0 && mib <= MAX_MIB) return;
  throw new BadRequestError(`A quota is 0 to ${MAX_MIB} MiB`);
}

function wordOf(own: OwnQuota | null): number | 'default' | 'none' {
  return own === null ? 'default' : (own.mib ?? 'none');
}

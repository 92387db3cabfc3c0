import { randomBytes, randomInt } from 'node:crypto';
import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, NothingToDoError } from '@parley/shared/errors';
import { dataExportsChanged } from '@parley/shared/events';
import { prismaTransaction } from '@parley/shared/prisma';
import type {
  ClaimDataExportResponse,
  CreateDataExportRequest,
  CreateDataExportResponse,
  DataExport,
  DataExports,
  DeleteDataExportRequest,
  DeleteDataExportResponse,
  DoomedDataExports,
  ExportConsents,
  FailDataExportRequest,
  FinishDataExportRequest,
  ForgetDataExportsResponse,
  GetDataExportRequest,
  HeldDataExport,
  HeldDataExportResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { getOwnUser } from '../accounts/get-own-user';
import { listAdministratorIds } from '../accounts/users.sql';
import { requireAdministrator } from '../base/guards';
import { possibleIds } from '../base/possible-values';
import type { Context, Tables } from '../context';
import { announceNotice } from '../notices/announce-notice';
import { changeOrganization } from '../organization/change-organization';
import { lockRealm } from '../organization/realms.sql';
import {
  claimDataExport as claim,
  failWornOut,
  forgetPaths,
  listExportConsents as loadExportConsents,
  selectDataExports,
} from './data-exports.sql';

// Claims on exports are columns of their own rows, not a job of shared/jobs: a gateway, which has no database, renews its lease by rpc,
// attempts are limited, and administrators see the same row.

/** All exports of the organization, oldest first. */
export async function listDataExports(ctx: Context, caller: Caller): Promise<DataExports> {
  requireAdministrator(await getOwnUser(ctx, caller));
  return { exports: await selectDataExports(ctx.db, caller.realmId) };
}

/** The export with the archive at an address. For administrators. */
export async function getDataExport(ctx: Context, caller: Caller, { path }: GetDataExportRequest): Promise<DataExport> {
  const { exports } = await listDataExports(ctx, caller);
  const found = exports.find((each) => each.path === path);
  if (!found) throw new BadRequestError(REFUSAL.requests.noFile, {}, 404);
  return found;
}

const WEEK_MS = 7 * 24 * 3_600_000;
const MAX_IN_A_WEEK = 5;
const KINDS = ['public', 'consented'];

/** Orders an export of the shareable data. A gateway creates it: see claimDataExport(). */
export function createDataExport(
  ctx: Context,
  caller: Caller,
  { kind }: CreateDataExportRequest,
): Promise<CreateDataExportResponse> {
  const createdAtMs = ctx.clock.now();
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }, prisma) => {
    if (!KINDS.includes(kind)) throw new BadRequestError('Invalid export_type');
    const createdAt = { gt: new Date(createdAtMs - WEEK_MS) };
    const recent = await prisma.dataExport.count({ where: { realmId, createdAt } });
    if (recent >= MAX_IN_A_WEEK) throw new BadRequestError(REFUSAL.lists.exportsPerWeek);
    const { id } = await prisma.dataExport.create({
      data: { realmId, actingUserId: caller.userId, kind, createdAt: new Date(createdAtMs) },
    });
    await announceDataExports(tx, realmId);
    return { exportId: id };
  });
}

/** Deletes the archive of a finished export: a gateway deletes the file, see listDoomedDataExports(). For administrators. */
export async function deleteDataExport(
  ctx: Context,
  caller: Caller,
  { exportId }: DeleteDataExportRequest,
): Promise<DeleteDataExportResponse> {
  requireAdministrator(await getOwnUser(ctx, caller));
  const wanted = { realmId: caller.realmId, id: { in: possibleIds([exportId]) } };
  await prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const { count } = await prisma.dataExport.updateMany({
      where: { ...wanted, completedAt: { not: null }, deletedAt: null },
      data: { deletedAt: new Date(ctx.clock.now()) },
    });
    if (count === 0) throw notDeletable(await prisma.dataExport.findFirst({ where: wanted }));
    await announceDataExports(tx, caller.realmId);
  });
  return {};
}

function notDeletable(found: { deletedAt: Date | null; failedAt: Date | null } | null): BadRequestError {
  if (!found) return new BadRequestError('Invalid data export ID');
  if (found.deletedAt) return new NothingToDoError('Export already deleted');
  return new BadRequestError(found.failedAt ? 'Export failed, nothing to delete' : 'Export still in progress');
}

/** Users who consent to the export of their private data. */
export async function listExportConsents(ctx: Context, caller: Caller): Promise<ExportConsents> {
  requireAdministrator(await getOwnUser(ctx, caller));
  return { consents: await loadExportConsents(ctx.db, caller.realmId) };
}

/** Gateways renew it much more often; the export of a crashed one waits this long. */
export const LEASE_MS = 5 * 60_000;
const MAX_ATTEMPTS = 3;

/** Leases the next export to the caller. */
export function claimDataExport({ db, clock }: Context): Promise<ClaimDataExportResponse> {
  const nowMs = clock.now();
  return db.transaction(async (tx) => {
    for (const realmId of await failWornOut(tx, MAX_ATTEMPTS, nowMs)) await announceDataExports(tx, realmId);
    return { claimed: await claim(tx, { secret: newSecret(), nowMs, leaseMs: LEASE_MS }) };
  });
}

/** An unguessable path, as for uploaded files. */
function newSecret(): string {
  return `${randomInt(256).toString(16)}/${randomBytes(18).toString('base64url')}`;
}

/** Extends the caller's lease. */
export function renewDataExport({ prisma, clock }: Context, held: HeldDataExport): Promise<HeldDataExportResponse> {
  return hold(prisma, held, clock.now() + LEASE_MS);
}

async function hold(prisma: Tables, held: HeldDataExport, untilMs: number): Promise<HeldDataExportResponse> {
  const data = { leasedUntil: new Date(untilMs) };
  const { count } = await prisma.dataExport.updateMany({ where: whileLeased(held), data });
  return { isHeld: count > 0 };
}

/** Matches no row if the lease was lost. */
function whileLeased({ realmId, id, attempt: attempts }: HeldDataExport) {
  return { realmId, id, attempts, completedAt: null, failedAt: null, deletedAt: null };
}

const TEXT = 'Your data export is complete. [View and download exports](/#organization/data-exports-admin).';

/** The archive is stored: finishes the export and notifies the organization's administrators. */
export function finishDataExport(
  ctx: Context,
  { held: of, size }: FinishDataExportRequest,
): Promise<HeldDataExportResponse> {
  const held = of as HeldDataExport;
  return prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const [finished] = await prisma.dataExport.updateManyAndReturn({
      where: whileLeased(held),
      data: { completedAt: new Date(ctx.clock.now()), size },
    });
    if (!finished) return { isHeld: false };
    await announceDataExports(tx, held.realmId);
    const to = { userIds: [finished.actingUserId] };
    await announceNotice(tx, held.realmId, { from: 'notification-bot', to, content: TEXT, readByIds: [] });
    return { isHeld: true };
  });
}

const PAUSE_MS = 60_000;

/** An attempt failed: it is retried soon, unless it was the last one. Interrupted attempts do not count. */
export async function failDataExport(
  ctx: Context,
  { held: of, isInterrupted }: FailDataExportRequest,
): Promise<HeldDataExportResponse> {
  const nowMs = ctx.clock.now();
  const held = of as HeldDataExport;
  if (isInterrupted) return releaseLease(ctx.prisma, held, nowMs);
  const isLast = held.attempt >= MAX_ATTEMPTS;
  return prismaTransaction(ctx.db, ctx.prisma, async (tx, prisma) => {
    const answer = await hold(prisma, held, isLast ? nowMs : nowMs + PAUSE_MS);
    for (const realmId of await failWornOut(tx, MAX_ATTEMPTS, nowMs)) await announceDataExports(tx, realmId);
    return answer;
  });
}

async function releaseLease(prisma: Tables, held: HeldDataExport, nowMs: number): Promise<HeldDataExportResponse> {
  const data = { attempts: { decrement: 1 }, leasedUntil: new Date(nowMs) };
  const { count } = await prisma.dataExport.updateMany({ where: whileLeased(held), data });
  return { isHeld: count > 0 };
}

const MAX_LISTED = 100;

/** Exports whose archives the gateway is to delete, and report as deleted. */
export async function listDoomedDataExports({ prisma }: Context): Promise<DoomedDataExports> {
  const ended = await prisma.dataExport.findMany({
    where: { pathId: { not: null }, OR: [{ deletedAt: { not: null } }, { failedAt: { not: null } }] },
    select: { realmId: true, id: true, pathId: true },
    take: MAX_LISTED,
  });
  return { doomed: ended.map(({ pathId, ...row }) => ({ ...row, path: pathId as string })) };
}

/** Their archives have been deleted. */
export async function forgetDataExports(
  { db }: Context,
  { doomed }: DoomedDataExports,
): Promise<ForgetDataExportsResponse> {
  await forgetPaths(db, doomed);
  return {};
}

/** Announces all exports of the organization to its administrators. */
async function announceDataExports(tx: Transaction, realmId: number): Promise<void> {
  // Serialized, so that the last event has the final state. Lock order: exports before the organization.
  await lockRealm(tx, realmId);
  const administratorIds = await listAdministratorIds(tx, realmId);
  const exports = await selectDataExports(tx, realmId);
  await announce(tx, dataExportsChanged(realmId, { administratorIds, exports }));
}

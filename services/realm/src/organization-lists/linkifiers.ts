import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, NothingToDoError } from '@parley/shared/errors';
import { linkifiersChanged } from '@parley/shared/events';
import type {
  AddLinkifierRequest,
  AddLinkifierResponse,
  Linkifier,
  Linkifiers,
  RemoveLinkifierRequest,
  RemoveLinkifierResponse,
  ReorderLinkifiersRequest,
  ReorderLinkifiersResponse,
  UpdateLinkifierRequest,
  UpdateLinkifierResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { requireAdministrator } from '../base/guards';
import type { Context, Tables } from '../context';
import { changeOrganization } from '../organization/change-organization';
import { checkLinkifier } from './linkifier-input';
import { storeLinkifierOrder } from './linkifiers.sql';

/** The organization's linkifiers, in the order in which they are applied. For everybody. */
export async function listLinkifiers(ctx: Context, { realmId }: Caller): Promise<Linkifiers> {
  return { linkifiers: await listLinkifiersOf(ctx.prisma, realmId) };
}

/** They are part of the facts for every send, and every message is searched for all of them. */
const MAX_LINKIFIERS = 200;

/** Adds a linkifier after all others. */
export async function addLinkifier(
  ctx: Context,
  caller: Caller,
  { pattern, urlTemplate }: AddLinkifierRequest,
): Promise<AddLinkifierResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }, prisma) => {
    const others = await listLinkifiersOf(prisma, realmId);
    checkLinkifier({ pattern, urlTemplate }, others);
    if (others.length >= MAX_LINKIFIERS) throw new BadRequestError(`Too many linkifiers (limit: ${MAX_LINKIFIERS})`);
    const { _max: last } = await prisma.linkifier.aggregate({ where: { realmId }, _max: { position: true } });
    const position = (last.position ?? -1) + 1;
    const { id } = await prisma.linkifier.create({ data: { realmId, pattern, urlTemplate, position } });
    await announceLinkifiers(tx, prisma, realmId);
    return { id };
  });
}

/** Changes a linkifier's pattern and template; its position stays. */
export async function updateLinkifier(
  ctx: Context,
  caller: Caller,
  { id, pattern, urlTemplate }: UpdateLinkifierRequest,
): Promise<UpdateLinkifierResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }, prisma) => {
    const [linkifier, others] = findLinkifier(await listLinkifiersOf(prisma, realmId), id);
    checkLinkifier({ pattern, urlTemplate }, others);
    if (linkifier.pattern === pattern && linkifier.urlTemplate === urlTemplate) return {};
    await prisma.linkifier.update({ where: { realmId_id: { realmId, id } }, data: { pattern, urlTemplate } });
    await announceLinkifiers(tx, prisma, realmId);
    return {};
  });
}

/** Removes a linkifier; existing messages keep their links. */
export async function removeLinkifier(
  ctx: Context,
  caller: Caller,
  { id }: RemoveLinkifierRequest,
): Promise<RemoveLinkifierResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }, prisma) => {
    findLinkifier(await listLinkifiersOf(prisma, realmId), id);
    await prisma.linkifier.delete({ where: { realmId_id: { realmId, id } } });
    await announceLinkifiers(tx, prisma, realmId);
    return {};
  });
}

/** Reorders linkifiers: earlier ones win. */
export async function reorderLinkifiers(
  ctx: Context,
  caller: Caller,
  { orderedIds }: ReorderLinkifiersRequest,
): Promise<ReorderLinkifiersResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }, prisma) => {
    const linkifiers = await listLinkifiersOf(prisma, realmId);
    checkOrder(orderedIds, linkifiers);
    if (linkifiers.every(({ id }, index) => id === orderedIds[index])) return {};
    await storeLinkifierOrder(tx, realmId, orderedIds);
    await announceLinkifiers(tx, prisma, realmId);
    return {};
  });
}

function checkOrder(orderedIds: readonly number[], linkifiers: readonly Linkifier[]): void {
  const ids = new Set(orderedIds);
  if (ids.size < orderedIds.length) {
    throw new BadRequestError('The ordered list must not contain duplicated linkifiers');
  }
  if (ids.size !== linkifiers.length || !linkifiers.every(({ id }) => ids.has(id))) {
    throw new BadRequestError('The ordered list must enumerate all existing linkifiers exactly once');
  }
}

/** The linkifier of that id, and the others. */
function findLinkifier(linkifiers: readonly Linkifier[], id: number): [Linkifier, Linkifier[]] {
  const linkifier = linkifiers.find((candidate) => candidate.id === id);
  if (!linkifier) throw new NothingToDoError('Linkifier not found.');
  return [linkifier, linkifiers.filter((other) => other !== linkifier)];
}

/** Announces the organization's present linkifiers. */
async function announceLinkifiers(tx: Transaction, prisma: Tables, realmId: number): Promise<void> {
  await announce(tx, linkifiersChanged(realmId, { linkifiers: await listLinkifiersOf(prisma, realmId) }));
}

function listLinkifiersOf(prisma: Tables, realmId: number): Promise<Linkifier[]> {
  return prisma.linkifier.findMany({
    where: { realmId },
    select: { id: true, pattern: true, urlTemplate: true },
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
}

import { announce } from '@parley/shared/bus';
import type { Transaction } from '@parley/shared/db';
import { BadRequestError, NothingToDoError } from '@parley/shared/errors';
import { playgroundsChanged } from '@parley/shared/events';
import type {
  AddPlaygroundRequest,
  AddPlaygroundResponse,
  Playground,
  RemovePlaygroundRequest,
  RemovePlaygroundResponse,
} from '@parley/shared/proto';
import type { Caller } from '@parley/shared/rpc';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, findForbiddenCharacter, isSafeUrlTemplate } from '@parley/shared/values';
import { FieldErrors } from '../base/field-errors';
import { requireAdministrator } from '../base/guards';
import { templateVariables } from '../base/template-variables';
import type { Context, Tables } from '../context';
import { changeOrganization } from '../organization/change-organization';

const MAX_PLAYGROUNDS = 200;

/** Adds a code playground for a language. */
export async function addPlayground(
  ctx: Context,
  caller: Caller,
  request: AddPlaygroundRequest,
): Promise<AddPlaygroundResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }, prisma) => {
    const others = await listPlaygroundsOf(prisma, realmId);
    const playground = playgroundFromInput(request, others);
    if (others.length >= MAX_PLAYGROUNDS) throw new BadRequestError(`Too many playgrounds (limit: ${MAX_PLAYGROUNDS})`);
    const { id } = await prisma.playground.create({ data: { realmId, ...playground } });
    await announcePlaygrounds(tx, prisma, realmId);
    return { id };
  });
}

export async function removePlayground(
  ctx: Context,
  caller: Caller,
  { id }: RemovePlaygroundRequest,
): Promise<RemovePlaygroundResponse> {
  return changeOrganization(ctx, caller, requireAdministrator, async (tx, { realmId }, prisma) => {
    const playgrounds = await listPlaygroundsOf(prisma, realmId);
    if (!playgrounds.some((playground) => playground.id === id)) throw new NothingToDoError('Invalid playground');
    await prisma.playground.delete({ where: { realmId_id: { realmId, id } } });
    await announcePlaygrounds(tx, prisma, realmId);
    return {};
  });
}

/** Announces the organization's present code playgrounds. */
async function announcePlaygrounds(tx: Transaction, prisma: Tables, realmId: number): Promise<void> {
  await announce(tx, playgroundsChanged(realmId, { playgrounds: await listPlaygroundsOf(prisma, realmId) }));
}

function listPlaygroundsOf(prisma: Tables, realmId: number): Promise<Playground[]> {
  return prisma.playground.findMany({ where: { realmId }, omit: { realmId: true }, orderBy: { id: 'asc' } });
}

const LIMITS = { name: 100, pygments_language: 40, url_template: 1_000 };
const LANGUAGE = /^[A-Za-z0-9 _+\-./#]*$/;
const CODE = 'code';

type NewPlayground = Omit<Playground, 'id'>;

/** The validated code playground; reports all errors. */
function playgroundFromInput(input: AddPlaygroundRequest, others: readonly NewPlayground[]): NewPlayground {
  const name = input.name.trim();
  const pygmentsLanguage = input.pygmentsLanguage.trim();
  const urlTemplate = input.urlTemplate.trim();
  if (!LANGUAGE.test(pygmentsLanguage)) throw new BadRequestError(REFUSAL.lists.playgroundLanguage);

  const errors = new FieldErrors();
  const texts = { name, pygments_language: pygmentsLanguage, url_template: urlTemplate };
  for (const [field, text] of Object.entries(texts)) checkLength(field as keyof typeof LIMITS, text, errors);
  const position = findForbiddenCharacter(name);
  if (position !== null) errors.add('name', REFUSAL.organization.nameCharacter(String(position)));
  checkTemplate(urlTemplate, errors);
  const isTaken = others.some((other) => other.name === name && other.pygmentsLanguage === pygmentsLanguage);
  if (isTaken) errors.addToAll(REFUSAL.lists.playgroundTaken);
  errors.refuse();
  return { name, pygmentsLanguage, urlTemplate };
}

function checkLength(field: keyof typeof LIMITS, text: string, errors: FieldErrors): void {
  const limit = LIMITS[field];
  if (text === '') errors.add(field, REFUSAL.lists.blank);
  if (codePointLength(text) > limit) errors.add(field, REFUSAL.requests.tooLong(field, String(limit)));
}

function checkTemplate(urlTemplate: string, errors: FieldErrors): void {
  const variables = codePointLength(urlTemplate) > LIMITS.url_template ? null : templateVariables(urlTemplate);
  if (variables === null || !isSafeUrlTemplate(urlTemplate)) errors.add('url_template', REFUSAL.lists.addressTemplate);
  else if (!variables.has(CODE)) errors.addToAll(REFUSAL.lists.codeMissing);
  else if (variables.size > 1) errors.addToAll(REFUSAL.lists.onlyCode);
}

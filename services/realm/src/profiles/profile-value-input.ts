import { BadRequestError } from '@parley/shared/errors';
import type { NewProfileValue, ProfileField, User } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, isWebUrl } from '@parley/shared/values';
import { FIELD_TYPES } from '../base/field-types';
import { optionKeys } from './field-data';

const MAX_TEXT_LENGTHS: Record<number, number> = {
  [FIELD_TYPES.shortText]: 50,
  [FIELD_TYPES.longText]: 500,
  [FIELD_TYPES.link]: 2_000,
  [FIELD_TYPES.externalAccount]: 50,
  [FIELD_TYPES.pronouns]: 50,
};
const MAX_PEOPLE = 200;

/** The validated value to store in that field; `people` are the accounts it may name. */
export function profileValueFromInput(
  field: ProfileField,
  { text, userIds }: NewProfileValue,
  people: ReadonlyMap<number, User>,
): string {
  if (field.type === FIELD_TYPES.people) {
    if (userIds === null) throw new BadRequestError(`${field.name} is not a list`);
    checkPeople(field, userIds.ids, people);
    return JSON.stringify(userIds.ids);
  }
  if (text === undefined) throw new BadRequestError(`${field.name} is not a string`);
  checkText(field, text);
  return text;
}

function checkText({ name, type, fieldData }: ProfileField, text: string): void {
  const limit = MAX_TEXT_LENGTHS[type];
  if (limit !== undefined && codePointLength(text) > limit) {
    throw new BadRequestError(REFUSAL.requests.tooLong(name, String(limit)));
  }
  if (type === FIELD_TYPES.options && !optionKeys(fieldData).includes(text)) {
    throw new BadRequestError(`'${text}' is not a valid choice for '${name}'.`);
  }
  if (type === FIELD_TYPES.date && !isDate(text)) throw new BadRequestError(`${name} is not a date`);
  if (type === FIELD_TYPES.link && !isWebUrl(text)) throw new BadRequestError(REFUSAL.requests.notUrl(name));
  if (text.includes('\0')) throw new BadRequestError(`${name} has invalid format`);
}

function isDate(text: string): boolean {
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return date !== null && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function checkPeople({ name }: ProfileField, ids: readonly number[], people: ReadonlyMap<number, User>): void {
  if (ids.length > MAX_PEOPLE) throw new BadRequestError(`${name} is too long (limit: ${MAX_PEOPLE} users)`);
  const unknown = ids.filter((id) => !people.has(id));
  if (unknown.length > 0) throw new BadRequestError(`Invalid user IDs: ${unknown.join(', ')}`);
  for (const id of ids) {
    const person = people.get(id) as User;
    if (!person.isActive) throw new BadRequestError(`User with ID ${id} is deactivated`);
    if (person.isBot) throw new BadRequestError(`User with ID ${id} is a bot`);
  }
}

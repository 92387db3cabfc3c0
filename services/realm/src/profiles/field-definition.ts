import { BadRequestError } from '@parley/shared/errors';
import type { ProfileField } from '@parley/shared/proto';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, EXTERNAL_ACCOUNT_KINDS, findForbiddenCharacter } from '@parley/shared/values';
import { FIELD_TYPES } from '../base/field-types';
import { FIELD_TYPE_VALUES, fieldDataFromInput, knownAccountKind } from './field-data';

const MAX_NAME_LENGTH = 40;
const MAX_HINT_LENGTH = 80;
const MAX_IN_SUMMARY = 2;
const NOT_IN_SUMMARY: readonly number[] = [FIELD_TYPES.longText, FIELD_TYPES.people];

export type FieldDefinition = Omit<ProfileField, 'id' | 'order'>;

/** The validated field of a request, checked against the others; throws the first error. */
export function fieldDefinitionFromInput(input: FieldDefinition, others: readonly ProfileField[]): FieldDefinition {
  checkSummary(input.isInSummary, others);
  return checkedDefinition(input, others);
}

/** The changed field, if allowed. Fields for known kinds of accounts keep their kind; absent members are unchanged. */
export function changedDefinition(
  field: ProfileField,
  changes: Partial<FieldDefinition>,
  others: readonly ProfileField[],
): FieldDefinition {
  const { id: _, order: __, ...present } = field;
  const wanted = { ...present, ...changes };
  if (!field.isInSummary) checkSummary(wanted.isInSummary, others);
  if (knownAccountKind(field.type, field.fieldData) === null) return checkedDefinition(wanted, others);
  const keepsKind = (['name', 'hint', 'fieldData'] as const).every((member) => wanted[member] === field[member]);
  if (!keepsKind) throw new BadRequestError('Default custom field cannot be updated.');
  return wanted;
}

function checkSummary(isInSummary: boolean, others: readonly ProfileField[]): void {
  if (isInSummary && others.filter((field) => field.isInSummary).length >= MAX_IN_SUMMARY) {
    throw new BadRequestError(REFUSAL.lists.fieldsInSummary(String(MAX_IN_SUMMARY)));
  }
}

function checkedDefinition(input: FieldDefinition, others: readonly ProfileField[]): FieldDefinition {
  const fieldData = fieldDataFromInput(input.type, input.fieldData);
  const { name, hint } = labelOf(input, fieldData);
  if (!FIELD_TYPE_VALUES.includes(input.type)) throw new BadRequestError('Invalid field type.');
  if (input.isInSummary && NOT_IN_SUMMARY.includes(input.type)) {
    throw new BadRequestError('Field type not supported for display in profile summary.');
  }
  if (others.some((other) => other.name === name)) {
    throw new BadRequestError(REFUSAL.lists.fieldTaken);
  }
  return { ...input, fieldData, name, hint };
}

function labelOf(input: FieldDefinition, fieldData: string): { name: string; hint: string } {
  const kind = EXTERNAL_ACCOUNT_KINDS[knownAccountKind(input.type, fieldData) ?? ''];
  if (kind) return { name: kind.name, hint: kind.hint };
  const [name, hint] = [input.name.trim(), input.hint.trim()];
  if (name === '') throw new BadRequestError(REFUSAL.lists.fieldLabel);
  checkText('name', name, MAX_NAME_LENGTH);
  checkText('hint', hint, MAX_HINT_LENGTH);
  return { name, hint };
}

function checkText(parameter: string, text: string, limit: number): void {
  if (codePointLength(text) > limit) throw new BadRequestError(REFUSAL.requests.tooLong(parameter, String(limit)));
  const position = findForbiddenCharacter(text);
  if (position !== null) throw new BadRequestError(`Invalid character in ${parameter}, at position ${position}.`);
}

import { BadRequestError } from '@parley/shared/errors';
import { REFUSAL } from '@parley/shared/texts/refusals';
import { codePointLength, EXTERNAL_ACCOUNT_KINDS, isWebUrl, USERNAME_PLACEHOLDER } from '@parley/shared/values';
import { FIELD_TYPES } from '../base/field-types';

export const FIELD_TYPE_VALUES: readonly number[] = Object.values(FIELD_TYPES);

const MAX_LENGTH = 10_000;
const CUSTOM = 'custom';

type FieldData = Record<string, unknown>;

/** The validated data of a field of that type, as JSON; empty for types without data. */
export function fieldDataFromInput(type: number, json: string): string {
  const data = parseObject(json);
  if (type === FIELD_TYPES.options) checkOptions(data);
  else if (type === FIELD_TYPES.externalAccount) checkExternalAccount(data);
  else return '';
  return JSON.stringify(data);
}

/** The keys of the options of a field of type 3. */
export function optionKeys(fieldData: string): string[] {
  return Object.keys(parseObject(fieldData));
}

/** The kind of account, if the field is for one that the server knows. */
export function knownAccountKind(type: number, fieldData: string): string | null {
  if (type !== FIELD_TYPES.externalAccount) return null;
  const { subtype } = parseObject(fieldData);
  return typeof subtype === 'string' && Object.hasOwn(EXTERNAL_ACCOUNT_KINDS, subtype) ? subtype : null;
}

function parseObject(json: string): FieldData {
  if (codePointLength(json) > MAX_LENGTH) {
    throw new BadRequestError(`field_data is too long (limit: ${MAX_LENGTH} characters)`);
  }
  let data: unknown = {};
  try {
    if (json !== '') data = JSON.parse(json);
  } catch {
    throw new BadRequestError('field_data is not valid JSON');
  }
  if (!isObject(data)) throw new BadRequestError('field_data is not a dict');
  return data;
}

function checkOptions(data: FieldData): void {
  const options = Object.entries(data);
  if (options.length === 0) throw new BadRequestError(REFUSAL.lists.noChoice);
  const texts = options.map(([key, option]) => {
    if (key.trim() === '') throw new BadRequestError("'value' cannot be blank.");
    const place = `field_data[${JSON.stringify(key)}]`;
    if (!isObject(option)) throw new BadRequestError(`${place} is not a dict`);
    refuseOthers(place, option, ['text', 'order']);
    requiredText(place, option, 'order');
    return requiredText(place, option, 'text');
  });
  if (new Set(texts).size < texts.length) throw new BadRequestError(REFUSAL.lists.doubleChoice);
}

function checkExternalAccount(data: FieldData): void {
  refuseOthers('field_data', data, ['subtype', 'url_pattern']);
  const subtype = requiredText('field_data', data, 'subtype');
  if (data['url_pattern'] !== undefined) checkUrlPattern(requiredText('field_data', data, 'url_pattern'));
  if (Object.hasOwn(EXTERNAL_ACCOUNT_KINDS, subtype)) return;
  if (subtype !== CUSTOM) throw new BadRequestError('Invalid external account type');
  if (data['url_pattern'] === undefined) {
    throw new BadRequestError('Custom external account must define URL pattern');
  }
}

function checkUrlPattern(pattern: string): void {
  if (pattern.split(USERNAME_PLACEHOLDER).length !== 2) {
    throw new BadRequestError(`URL pattern must contain '${USERNAME_PLACEHOLDER}'.`);
  }
  const example = pattern.replace(USERNAME_PLACEHOLDER, 'username');
  if (!isWebUrl(example)) {
    throw new BadRequestError('field_data["url_pattern"] is not a URL');
  }
}

function refuseOthers(place: string, object: FieldData, allowed: readonly string[]): void {
  const other = Object.keys(object).find((key) => !allowed.includes(key));
  if (other === undefined) return;
  const name = JSON.stringify(other);
  throw new BadRequestError(`Argument ${name} at ${place}[${name}] is unexpected`);
}

function requiredText(place: string, object: FieldData, key: string): string {
  const name = `${place}["${key}"]`;
  const text = object[key];
  if (text === undefined) throw new BadRequestError(`${name} field is missing: Field required`);
  if (typeof text !== 'string') throw new BadRequestError(`${name} is not a string`);
  if (text.trim() === '') throw new BadRequestError(`${name} cannot be blank`);
  return text;
}

function isObject(value: unknown): value is FieldData {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

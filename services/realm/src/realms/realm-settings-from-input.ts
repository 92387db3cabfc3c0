import { BadRequestError, InvalidParameterError } from '@parley/shared/errors';
import {
  codePointLength,
  findForbiddenCharacter,
  isRealmSettingName,
  REALM_SETTING_NAMES,
  REALM_SETTINGS,
  type RealmSetting,
  type RealmSettingName,
} from '@parley/shared/values';

/** What a request wants otherwise: checked value by value, but for what depends on the organization. */
export type WantedSettings = Partial<Record<RealmSettingName, unknown>>;

const TYPES = { boolean: 'boolean', integer: 'number', text: 'string', methods: 'object' } as const;
const TYPE_NAMES = { boolean: 'a boolean', integer: 'an integer', text: 'a string', methods: 'a dict' };

/** Settings whose refusal has words of its own. */
const REFUSALS: Partial<Record<RealmSettingName, (value: unknown) => string>> = {
  default_language: (value) => `Invalid language '${value}'`,
  video_chat_provider: (value) => `Invalid video_chat_provider ${value}`,
  giphy_rating: (value) => `Invalid giphy_rating ${value}`,
  jitsi_server_url: () => 'jitsi_server_url is not an allowed_type',
};

/** The values that a JSON object of settings wants, in the catalogue's order; the first that is wrong is refused. */
export function realmSettingsFromInput(json: string): WantedSettings {
  const sent = JSON.parse(json) as Record<string, unknown>;
  const unknown = Object.keys(sent).find((name) => !isRealmSettingName(name));
  if (unknown !== undefined) throw new BadRequestError(`There is no setting '${unknown}'`);
  const wanted = REALM_SETTING_NAMES.filter((name) => sent[name] !== undefined);
  return Object.fromEntries(wanted.map((name) => [name, valueFromInput(name, sent[name])]));
}

function valueFromInput(name: RealmSettingName, value: unknown): unknown {
  const setting = REALM_SETTINGS[name];
  const { type, words } = setting;
  if (words && typeof value === 'string' && Object.hasOwn(words, value)) return words[value];
  if (type === 'integer' && words) refuseBadValue(name, value);
  const fault = faultOf(name, setting, value);
  if (fault !== null) throw new BadRequestError(REFUSALS[name]?.(value) ?? fault);
  return value;
}

/** Of settings that are a positive number or a word. */
function refuseBadValue(name: string, value: unknown): void {
  const isBad = typeof value === 'string' || (typeof value === 'number' && value <= 0);
  if (isBad) throw new InvalidParameterError(name, value);
}

function faultOf(name: string, { type, choices, range, maxLength, isValid }: RealmSetting, value: unknown) {
  const isOfType =
    typeof value === TYPES[type] && value !== null && (type !== 'integer' || Number.isSafeInteger(value));
  if (!isOfType) return `${name} is not ${TYPE_NAMES[type]}`;
  if (choices && !choices.includes(value as number | string)) return describeChoiceFault(name, type);
  if (range && Number(value) < range.min) return `${name} is too small`;
  if (range && Number(value) > range.max) return `${name} is too large`;
  if (maxLength !== undefined && codePointLength(String(value)) > maxLength) {
    return `${name} is too long (limit: ${maxLength} characters)`;
  }
  if (isValid && !isValid(String(value))) return `Invalid ${name}`;
  return type === 'text' ? characterFault(name, String(value)) : null;
}

function describeChoiceFault(name: string, type: RealmSetting['type']): string {
  return type === 'text' ? `Invalid ${name}` : `Invalid ${name}: Value error, Not in the list of possible values`;
}

function characterFault(name: string, value: string): string | null {
  const position = findForbiddenCharacter(value.replace(/[\n\r\t]/g, ' '));
  return position === null ? null : `Invalid character in ${name}, at position ${position}.`;
}

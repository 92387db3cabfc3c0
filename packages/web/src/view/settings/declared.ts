import { isLanguage, type RealmSetting, type SettingValue, type UserSetting } from '@parley/shared/settings';

/** A setting as a form shows it. */
export type Control =
  | { kind: 'flag' }
  | { kind: 'choice'; values: readonly SettingValue[] }
  | { kind: 'language' }
  | { kind: 'channel' }
  | { kind: 'methods' }
  | { kind: 'text'; maxLength: number | undefined; emptyWord: string | undefined }
  | { kind: 'number'; min: number; max: number; isDuration: boolean; without: Without | undefined };

/** The value of a number that is not limited, and the word that the API takes for it. */
export interface Without {
  value: number | null;
  word: string;
}

const UNBOUNDED = { min: 0, max: 2 ** 31 - 1 };

/** The control of an account's setting, from its declaration. */
export function controlOfUserSetting(name: string, { default: value, choices, range, isValid }: UserSetting): Control {
  if (typeof value === 'boolean') return { kind: 'flag' };
  if (choices) return { kind: 'choice', values: choices };
  if (isValid === isLanguage) return { kind: 'language' };
  if (typeof value === 'string') return { kind: 'text', maxLength: undefined, emptyWord: undefined };
  return { kind: 'number', ...(range ?? UNBOUNDED), isDuration: isDuration(name), without: undefined };
}

/** The control of an organization's setting, from its declaration. */
export function controlOfRealmSetting(name: string, setting: RealmSetting): Control {
  const { type, choices, range, words, isValid, maxLength, isChannel } = setting;
  if (type === 'methods') return { kind: 'methods' };
  if (type === 'boolean') return { kind: 'flag' };
  if (isChannel) return { kind: 'channel' };
  if (choices) return { kind: 'choice', values: choices };
  if (isValid === isLanguage) return { kind: 'language' };
  const [word, value] = Object.entries(words ?? {})[0] ?? [];
  if (type === 'text') return { kind: 'text', maxLength, emptyWord: word };
  const without = word === undefined || value === undefined ? undefined : { word, value };
  return { kind: 'number', ...(range ?? UNBOUNDED), isDuration: isDuration(name), without };
}

/** Their values are seconds, which people read in larger units. */
const isDuration = (name: string) => name.endsWith('_seconds');

/** A setting as a request sends it: texts plainly, except where the API takes words beside them. */
export function sentValue(control: Control, value: unknown): unknown {
  if (control.kind === 'text' && control.emptyWord !== undefined) {
    return JSON.stringify(value === '' ? control.emptyWord : value);
  }
  if (control.kind === 'number' && control.without && value === control.without.value) {
    return JSON.stringify(control.without.word);
  }
  return value;
}

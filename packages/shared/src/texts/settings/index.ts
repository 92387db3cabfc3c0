import type { TextsByLanguage } from '..';
import { de } from '../de/settings';
import { en, type SettingsTexts } from '../en/settings';

export type { SettingsTexts };

/** The web client's settings, by language. */
export const SETTINGS_TEXTS: TextsByLanguage<SettingsTexts> = { en, de };

import { computed } from '@preact/signals';
import { de } from './de/settings';
import { en, type SettingsTexts } from './en/settings';
import { language } from './texts';

const LANGUAGES: Readonly<Record<string, SettingsTexts>> = { de, en };

/** The texts of the settings, which are loaded together with them. */
export const settingsTexts = computed<SettingsTexts>(() => LANGUAGES[language.value] ?? en);

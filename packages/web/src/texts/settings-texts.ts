import { SETTINGS_TEXTS } from '@parley/shared/texts/settings';
import { computed } from '@preact/signals';
import { shownLanguage } from './texts';

/** The texts of the settings, which are loaded together with them. */
export const settingsTexts = computed(() => SETTINGS_TEXTS[shownLanguage.value]);

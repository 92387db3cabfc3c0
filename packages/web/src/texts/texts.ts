import { textLanguage } from '@parley/shared/texts';
import { CLIENT_TEXTS } from '@parley/shared/texts/client';
import { computed } from '@preact/signals';
import { isReady, read } from '../store/model';

/** The language of the person's settings, or before signing in of the browser. */
export const language = computed(() => {
  const chosen = isReady.value ? String(read('settings').user_settings?.['default_language'] ?? '') : '';
  return (chosen || navigator.language).split('-', 1)[0] as string;
});

/** That of the texts: English, where there are none in the person's own. */
export const shownLanguage = computed(() => textLanguage(language.value));

export const texts = computed(() => CLIENT_TEXTS[shownLanguage.value]);

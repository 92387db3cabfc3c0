import { computed } from '@preact/signals';
import { isReady, read } from '../store/model';
import { de } from './de';
import { en, type Texts } from './en';

const LANGUAGES: Readonly<Record<string, Texts>> = { de, en };

/** The language of the person's settings, or before signing in of the browser. */
export const language = computed(() => {
  const chosen = isReady.value ? String(read('settings').user_settings?.['default_language'] ?? '') : '';
  return (chosen || navigator.language).split('-', 1)[0] as string;
});

/** That of the texts: English, where there are none in the person's own. */
export const shownLanguage = computed(() => (Object.hasOwn(LANGUAGES, language.value) ? language.value : 'en'));

export const texts = computed<Texts>(() => LANGUAGES[shownLanguage.value] ?? en);

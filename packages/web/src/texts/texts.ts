import { computed } from '@preact/signals';
import { isReady, read } from '../store/model';
import { de } from './de';
import { en, type Texts } from './en';

const LANGUAGES: Readonly<Record<string, Texts>> = { de, en };

/** In the language of the person's settings, or before signing in of the browser. */
export const texts = computed<Texts>(() => {
  const chosen = isReady.value ? String(read('settings').user_settings?.['default_language'] ?? '') : '';
  const wanted = chosen || navigator.language;
  return LANGUAGES[wanted.split('-', 1)[0] as string] ?? en;
});

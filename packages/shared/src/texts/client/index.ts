import type { TextsByLanguage } from '..';
import { de } from './de';
import { en, type Texts } from './en';

export type { Texts };

/** What the web client needs at its start, by language. */
export const CLIENT_TEXTS: TextsByLanguage<Texts> = { en, de };

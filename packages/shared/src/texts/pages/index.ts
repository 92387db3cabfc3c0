import type { TextsByLanguage } from '..';
import { pages as de } from '../de/pages';
import { pages as en, type PageTexts } from '../en/pages';

export type { PageTexts };

/** The pages for people who are not signed in, by language. */
export const PAGE_TEXTS: TextsByLanguage<PageTexts> = { en, de };

import type { TextsByLanguage } from '..';
import { notices as de } from '../de/notices';
import { notices as en } from '../en/notices';

/** Messages of the organization's bots, by language. */
export const NOTICE_TEXTS: TextsByLanguage<typeof en> = { en, de };

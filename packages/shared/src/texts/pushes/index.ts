import type { TextsByLanguage } from '..';
import { pushes as de } from '../de/pushes';
import { pushes as en } from '../en/pushes';

/** Notifications of devices, by language. */
export const PUSH_TEXTS: TextsByLanguage<typeof en> = { en, de };

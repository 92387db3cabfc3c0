import type { TextsByLanguage } from '..';
import * as de from '../de/setting-labels';
import * as en from '../en/setting-labels';

export type SettingLabels = typeof en;

/** What settings and their values are called in the web client, by language. */
export const SETTING_LABELS: TextsByLanguage<SettingLabels> = { en, de };

import { SETTING_LABELS } from '@parley/shared/texts/setting-labels';
import { computed } from '@preact/signals';
import { shownLanguage } from './texts';

const labels = computed(() => SETTING_LABELS[shownLanguage.value]);

/** What settings are called. */
export const settingLabels = computed(() => labels.value.settingLabels);

/** What a value of a setting means; values without a label are their own. */
export function choiceLabel(name: string, value: unknown): string {
  return labels.value.choiceLabels[name]?.[String(value)] ?? String(value);
}

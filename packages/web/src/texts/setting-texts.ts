import { computed } from '@preact/signals';
import * as german from './de/setting-labels';
import * as english from './en/setting-labels';
import { language } from './texts';

const labels = computed(() => (language.value === 'de' ? german : english));

/** What settings are called. */
export const settingLabels = computed(() => labels.value.settingLabels);

/** What a value of a setting means; values without a label are their own. */
export function choiceLabel(name: string, value: unknown): string {
  return labels.value.choiceLabels[name]?.[String(value)] ?? String(value);
}

import { CHANNEL_TEXTS } from '@parley/shared/texts/channels';
import { computed } from '@preact/signals';
import { shownLanguage } from './texts';

/** The texts of the channels' pages, which are loaded together with them. */
export const channelTexts = computed(() => CHANNEL_TEXTS[shownLanguage.value]);

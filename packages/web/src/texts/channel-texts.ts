import { computed } from '@preact/signals';
import { de } from './de/channels';
import { type ChannelTexts, en } from './en/channels';
import { language } from './texts';

const LANGUAGES: Readonly<Record<string, ChannelTexts>> = { de, en };

/** The texts of the channels' pages, which are loaded together with them. */
export const channelTexts = computed<ChannelTexts>(() => LANGUAGES[language.value] ?? en);

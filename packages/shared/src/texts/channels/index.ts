import type { TextsByLanguage } from '..';
import { de } from '../de/channels';
import { type ChannelTexts, en } from '../en/channels';

export type { ChannelTexts };

/** The web client's pages of channels, by language. */
export const CHANNEL_TEXTS: TextsByLanguage<ChannelTexts> = { en, de };

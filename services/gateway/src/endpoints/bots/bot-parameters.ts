import { LIMITS } from '@parley/shared/values';
import { z } from 'zod';

/** More than the largest picture, so that one that is too large is refused for that. */
export const MAX_PICTURE_FORM_BYTES = 8 * 1024 * 1024;

export const CHANNEL_NAME_LIMIT = LIMITS.channelNameLength;

/** Texts by name, which only the bot's code understands. */
export const CONFIG_DATA = z.record(z.string(), z.string());

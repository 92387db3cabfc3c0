import { emojiNamesByCode } from '@parley/shared/emoji';
import type { Page } from '../http/routes';

export const EMOJI_DATA_PATH = '/static/emoji-data.json';

const A_DAY = 'public, max-age=86400';

/** The names of all Unicode emoji that can be used, for clients that offer a choice. */
export function emojiData(): Page {
  const body = JSON.stringify({ code_to_names: emojiNamesByCode() });
  return { path: EMOJI_DATA_PATH, answer: () => ({ status: 200, body, headers: { 'Cache-Control': A_DAY } }) };
}

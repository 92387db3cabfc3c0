import { z } from 'zod';
import { json } from '../../http/parameters';

/** Which of the two wide logos is meant. */
export const night = json(z.boolean().describe('The one for dark themes.'));

export function logoKind(isForNight: boolean): 'logo' | 'night_logo' {
  return isForNight ? 'night_logo' : 'logo';
}

import { DEFAULT_LOGO_PATH } from '@parley/shared/wire';
import type { Page } from '../http/routes';
import { svgImage } from './svg-image';

/** Grey is visible on white and on black, so one image serves both. */
const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="50" viewBox="0 0 200 50" role="img" aria-label="Parley">
<path d="M8 9h34a5 5 0 0 1 5 5v16a5 5 0 0 1-5 5H24l-9 8v-8H8a5 5 0 0 1-5-5V14a5 5 0 0 1 5-5z" fill="#5b7fb4"/>
<text x="60" y="33" font-family="sans-serif" font-size="26" fill="#7f8fa6">Parley</text>
</svg>`;

/** The logo of organizations without an uploaded one. */
export function defaultLogo(): Page {
  return { path: DEFAULT_LOGO_PATH, answer: () => svgImage(LOGO) };
}

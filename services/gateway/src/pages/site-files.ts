import { redirect } from '../http/answer';
import type { Page } from '../http/routes';
import { ICON_PATH } from '../http/web-page';
import { A_DAY, svgImage } from './svg-image';

/** Blue is visible on light and on dark tabs. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 50" role="img" aria-label="Parley">
<path d="M8 7h34a5 5 0 0 1 5 5v18a5 5 0 0 1-5 5H25L14 45V35H8a5 5 0 0 1-5-5V12a5 5 0 0 1 5-5z" fill="#5b7fb4"/>
</svg>`;

/** Nothing is for search engines: what visitors may read is read with the API. */
const ROBOTS = 'User-agent: *\nDisallow: /\n';

/** Files that browsers and search engines request from every site. */
export function siteFiles(): Page[] {
  const text = { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': A_DAY };
  const toIcon = redirect(ICON_PATH);
  return [
    { path: ICON_PATH, answer: () => svgImage(ICON) },
    { path: '/favicon.ico', answer: () => ({ ...toIcon, headers: { ...toIcon.headers, 'Cache-Control': A_DAY } }) },
    { path: '/robots.txt', answer: () => ({ status: 200, body: ROBOTS, headers: text }) },
  ];
}

import { escapeHtml } from '@parley/shared/values';
import { DEFAULT_PICTURE_PREFIX, isInitials, PICTURE_COLORS } from '@parley/shared/wire';
import { PathNotFoundError } from '../http/answer';
import type { Page } from '../http/routes';
import { svgImage } from './svg-image';

const A_WEEK = 'public, max-age=604800';
const FILE = /^([\s\S]+)\.svg$/;

/** The picture of an account or organization without an uploaded one. */
export function defaultPicture(): Page {
  return {
    path: `${DEFAULT_PICTURE_PREFIX}{color}/{file}`,
    patterns: { color: /^\d{1,2}$/, file: FILE },
    answer({ color: index, file = '' }) {
      const [, initials = ''] = FILE.exec(file) ?? [];
      const color = PICTURE_COLORS[Number(index)];
      if (color === undefined || !isInitials(initials)) throw new PathNotFoundError();
      return svgImage(draw(initials, color), A_WEEK);
    },
  };
}

function draw(initials: string, color: string): string {
  const text = escapeHtml(initials);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" role="img" aria-label="${text}">
<rect width="100" height="100" fill="${color}"/>
<text x="50" y="50" dy="0.35em" text-anchor="middle" font-family="system-ui,sans-serif" font-size="42" font-weight="600" fill="#fff">${text}</text>
</svg>`;
}

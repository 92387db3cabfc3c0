import type { Page } from '../http/routes';
import { svgImage } from './svg-image';

const DOTS = [20, 50, 80].map(
  (x, at) =>
    `<circle cx="${x}" cy="50" r="8"><animate attributeName="opacity" values="1;0.2;1" dur="1.2s" begin="${at * 0.2}s" repeatCount="indefinite"/></circle>`,
);

/** The placeholder for an image whose thumbnails are being made. */
export function loadingImage(): Page {
  const body = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" role="img" aria-label="Loading">${DOTS.join('')}</svg>`;
  return { path: '/static/images/loading/loader-black.svg', answer: () => svgImage(body) };
}

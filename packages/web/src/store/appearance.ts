import { effect } from '@preact/signals';
import { isReady, read } from './model';

/** As the API numbers them. */
const SCHEMES: Readonly<Record<number, string>> = { 1: 'light dark', 2: 'dark', 3: 'light' };

const USUAL_FONT_PX = 16;
const USUAL_LINE_PERCENT = 140;

/** Follows what the person has set for how everything looks: whatever they change is seen at once. */
export function followAppearance(): void {
  effect(() => {
    if (!isReady.value) return;
    const { color_scheme: scheme, ...settings } = read('settings').user_settings;
    const { web_font_size_px: fontPx, web_line_height_percent: linePercent } = settings;
    const { style } = document.documentElement;
    style.colorScheme = SCHEMES[Number(scheme)] ?? 'light dark';
    // All sizes are relative to the root's. The person's own setting of the browser counts as long as they change nothing here.
    style.fontSize = Number(fontPx) === USUAL_FONT_PX ? '' : `${Number(fontPx)}px`;
    const isUsual = Number(linePercent) === USUAL_LINE_PERCENT;
    document.body.style.lineHeight = isUsual ? '' : String(Number(linePercent) / 100);
  });
}

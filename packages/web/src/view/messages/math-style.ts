import { loadPart } from '../base/lazily';

let isLoaded = false;

/** Formulas need a large style sheet and fonts of their own, which most views do without. */
export function loadMathStyle(): void {
  if (isLoaded) return;
  isLoaded = true;
  loadPart(import('katex/dist/katex.min.css')).catch(() => {
    isLoaded = false;
  });
}

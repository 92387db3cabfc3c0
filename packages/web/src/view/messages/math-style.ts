let isLoaded = false;

/** Formulas need a large style sheet and fonts of their own, which most views do without. */
export function loadMathStyle(): void {
  if (isLoaded) return;
  isLoaded = true;
  void import('katex/dist/katex.min.css');
}

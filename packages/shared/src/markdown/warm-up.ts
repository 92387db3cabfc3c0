import { renderMarkdown } from './render-markdown';

/** Formulas, and code in the most frequent languages. */
const SAMPLES = [
  '# Head\n\n* list\n  1. **bold** `code` [link](https://example.com) :smile:\n\n> quote\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  '$$x^2$$',
  '```math\n\\sum_{i=0}^{n} \\frac{\\sqrt{x_i}}{\\alpha} = \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\n```',
  '```python\ndef f(x: int) -> str:\n    return f"{x}"  # text\n```',
  '```js\nconst f = async (x) => x + 1;\n```\n\n```ts\ninterface A { b: string }\n```',
  '```json\n{"a": [1, "b", null]}\n```\n\n```bash\nfor i in *; do echo "$i"; done\n```\n\n```sql\nselect 1 from a where b = \'c\';\n```',
];

/**
 * Renders samples once, so that the first formula or code block of a process need not wait for the compilation of KaTeX and the
 * highlighter. Called by services that render, before they are ready.
 */
export function warmUpRenderer(): void {
  for (const sample of SAMPLES) {
    try {
      renderMarkdown(sample, { users: [], groups: [], channels: [], linkifiers: [], realmUrl: 'https://example.com' });
    } catch {
      // A slow machine, where a sample exceeds the render budget, starts nevertheless.
    }
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import { loadPrism } from './code/lexer-profile';
import { loadTypesetter } from './math/render-math';
import { renderMarkdown } from './render-markdown';
import { stepsOfLoadingSanitizer } from './sanitise/sanitise';

const PLAIN =
  '# Head\n\n* list\n  1. **bold** `code` [link](https://example.com) :smile:\n\n> quote\n\n| a | b |\n|---|---|\n| 1 | 2 |';

/** Formulas, and code in the most frequent languages. */
const COSTLY = [
  '$$x^2$$',
  '```math\n\\sum_{i=0}^{n} \\frac{\\sqrt{x_i}}{\\alpha} = \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\n```',
  '```python\ndef f(x: int) -> str:\n    return f"{x}"  # text\n```',
  '```js\nconst f = async (x) => x + 1;\n```',
  '```ts\ninterface A { b: string }\n```',
  '```json\n{"a": [1, "b", null]}\n```\n\n```bash\nfor i in *; do echo "$i"; done\n```',
  "```sql\nselect 1 from a where b = 'c';\n```",
];

const COSTLY_MARK = /\$\$|```|~~~/;

/** Whether a text may contain formulas or blocks of code. */
export function isCostly(text: string): boolean {
  return COSTLY_MARK.test(text);
}

let prepared: Promise<void> | undefined;

/**
 * To be awaited before texts are rendered. Before the first formula or block of code of a process it loads the lexers, the
 * typesetter and the sanitizer and renders samples: 6 MB, and a tenth of a second in several turns of the event loop.
 */
export async function prepareRenderer(texts: readonly string[]): Promise<void> {
  if (!texts.some(isCostly)) return;
  prepared ??= inTurns([
    loadPrism,
    loadTypesetter,
    ...stepsOfLoadingSanitizer(),
    ...COSTLY.map((sample) => () => renderSample(sample)),
  ]);
  await prepared;
}

/** Called by services that render, before they are ready, so that the first texts need not wait for compilation. */
export function warmUpRenderer(): void {
  renderSample(PLAIN);
}

async function inTurns(steps: readonly (() => unknown)[]): Promise<void> {
  for (const step of steps) {
    step();
    await nextTurn();
  }
}

function renderSample(sample: string): void {
  try {
    renderMarkdown(sample, { users: [], groups: [], channels: [], linkifiers: [], realmUrl: 'https://example.com' });
  } catch {
    // On a slow machine a sample may exceed the render budget.
  }
}

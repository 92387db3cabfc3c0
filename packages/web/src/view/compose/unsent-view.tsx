import type { UnsentKind } from '../../narrow/narrow';
import { titleOf } from '../base/titles';

/** One's own messages that are not sent yet. */
export function UnsentView({ kind }: { kind: UnsentKind }) {
  return (
    <section class="unsent">
      <header class="place">
        <h1>{titleOf({ kind })}</h1>
      </header>
    </section>
  );
}

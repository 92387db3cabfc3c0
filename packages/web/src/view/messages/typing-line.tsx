import type { Narrow } from '../../narrow/narrow';
import { personName, read } from '../../store/model';
import { typistsIn } from '../../store/typists';
import { texts } from '../../texts/texts';

const MOST_NAMED = 3;

/** The people typing in this conversation. */
export function TypingLine({ narrow }: { narrow: Narrow }) {
  const userIds = typistsIn(narrow);
  read('people');
  const { oneIsTyping, someAreTyping, manyAreTyping } = texts.value;
  const names = userIds.map(personName);
  const text = names.length === 1 ? oneIsTyping(names[0] as string) : someAreTyping(names);
  return (
    <p class="typing" role="status">
      {names.length > MOST_NAMED ? manyAreTyping : names.length > 0 && text}
    </p>
  );
}

import { useReducer, useRef } from 'preact/hooks';
import { link } from '../../store/model';

interface Chosen<Value> {
  /** What was chosen, or else the value. */
  shown: Value;
  /** Saves; resolves to false if that did not work, and the value is shown again. */
  choose: (chosen: Value) => Promise<boolean>;
}

/** Resolves to false if it was not saved, and does not throw. Gets also what was shown before. */
export type Save<Value> = (chosen: Value, before: Value) => unknown;

interface Choice<Value> {
  chosen: Value;
  /** The value that the choice stands in for, as `keyOf` says it: values may be changed in place. */
  before: string;
  /** Choices made just before: their events say nothing about this one. */
  superseded: string[];
}

/** Events follow answers by milliseconds. None comes when the server takes a choice for what was there, e.g. for its spaces. */
const EVENT_WITHIN_MS = 10_000;

/**
 * For a control of a value that events change: the event may come after the answer, so what a person has chosen is shown until the value
 * changes, or could not be changed.
 */
export function useChosen<Value>(value: Value, save: Save<Value>): Chosen<Value> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const choice = useRef<Choice<Value> | null>(null);
  // One after another: requests on their way may overtake each other.
  const saving = useRef<Promise<unknown>>(Promise.resolve());
  const latest = useRef(value);
  latest.current = value;
  if (choice.current && hasEnded(choice.current, keyOf(value))) choice.current = null;
  const set = (next: Choice<Value> | null) => {
    choice.current = next;
    redraw(undefined);
  };
  const endLate = (own: Choice<Value>) =>
    setTimeout(() => {
      if (choice.current !== own) return;
      // Without a connection the event is still to come.
      if (link.peek() === 'up') set(null);
      else endLate(own);
    }, EVENT_WITHIN_MS);
  const choose = async (chosen: Value) => {
    const own = choiceAfter(choice.current, chosen, keyOf(latest.current));
    const before = choice.current ? choice.current.chosen : latest.current;
    set(own);
    const answer = saving.current.then(() => save(chosen, before));
    saving.current = answer;
    const isSaved = (await answer) !== false;
    if (choice.current !== own) return isSaved;
    const isSame = own.superseded.length === 0 && keyOf(chosen) === keyOf(latest.current);
    if (!isSaved || isSame) set(null);
    else endLate(own);
    return isSaved;
  };
  return { shown: choice.current ? choice.current.chosen : value, choose };
}

const keyOf = (value: unknown) => JSON.stringify(value) ?? '';

function choiceAfter<Value>(former: Choice<Value> | null, chosen: Value, before: string): Choice<Value> {
  return { chosen, before, superseded: former ? [...former.superseded, keyOf(former.chosen)] : [] };
}

/** The newest event is right, except where it is that of a choice made before. */
function hasEnded(choice: Choice<unknown>, value: string): boolean {
  if (value === choice.before) return false;
  const at = choice.superseded.indexOf(value);
  if (at < 0) return true;
  choice.before = value;
  choice.superseded = choice.superseded.slice(at + 1);
  return false;
}

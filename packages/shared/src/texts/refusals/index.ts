import type { TextLanguage, TextsByLanguage } from '..';
import { refusals as de } from '../de/refusals';
import { refusals as en, type RefusalTexts } from '../en/refusals';

export type { RefusalTexts };

const REFUSALS: TextsByLanguage<RefusalTexts> = { en, de };

/** The texts of errors, for those who throw them: the API speaks English. */
export const REFUSAL = en.said;

/** An error's text for a person, in their language; undefined: the catalogue does not have it, as for faults of programs. */
export function refusalText(language: TextLanguage, { code, message }: { code: string; message: string }) {
  const { byCode, said } = REFUSALS[language];
  if (Object.hasOwn(byCode, code)) return byCode[code as keyof typeof byCode];
  for (const [place, pattern] of patterns()) {
    const found = pattern.exec(message);
    if (found) return saidAt(said, place, found.slice(1));
  }
  return undefined;
}

type Place = readonly string[];

let known: [place: Place, pattern: RegExp][] | undefined;

/** What each English text looks like, whatever values it has. */
function patterns(): [place: Place, pattern: RegExp][] {
  known ??= Object.entries(en.said).flatMap(([part, texts]) =>
    Object.entries(texts).map(([name, text]): [Place, RegExp] => [[part, name], patternOf(text)]),
  );
  return known;
}

type Text = string | ((...values: string[]) => string);

const MARK = '\u0000';

function patternOf(text: Text): RegExp {
  const whole = typeof text === 'string' ? text : text(...Array<string>(text.length).fill(MARK));
  const parts = whole.split(MARK).map((part) => part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`^${parts.join('(.*)')}$`, 's');
}

function saidAt(said: RefusalTexts['said'], [part, name]: Place, values: readonly string[]): string {
  const text = (said as Record<string, Record<string, Text>>)[part as string]?.[name as string] as Text;
  return typeof text === 'string' ? text : text(...values);
}

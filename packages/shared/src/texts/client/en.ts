import { base } from '../en/base';
import { compose } from '../en/compose';
import { messages } from '../en/messages';
import { places } from '../en/places';

/** The texts that the web client needs at its start, by area; other languages have the same names. */
export const en = { ...base, ...places, ...messages, ...compose };

export type Texts = typeof en;

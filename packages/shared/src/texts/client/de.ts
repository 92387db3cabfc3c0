import { base } from '../de/base';
import { compose } from '../de/compose';
import { messages } from '../de/messages';
import { places } from '../de/places';
import type { Texts } from './en';

export const de: Texts = { ...base, ...places, ...messages, ...compose };

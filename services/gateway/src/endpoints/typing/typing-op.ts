import { z } from 'zod';
import { text } from '../../http/parameters';

/** Whether somebody begins or stops. */
export const typingOp = text(z.enum(['start', 'stop']));

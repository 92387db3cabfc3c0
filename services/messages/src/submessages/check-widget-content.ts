import { BadRequestError } from '@parley/shared/errors';
import { z } from 'zod';
import type { Widget } from './widget';

const text = z.string().max(1_000);

const choice = z.strictObject({ type: z.literal('multiple_choice'), short_name: text, long_name: text, reply: text });

/** Buttons under a message, each of which answers something for whoever presses it. */
const zform = z.strictObject({
  widget_type: z.literal('zform'),
  extra_data: z.strictObject({
    type: z.literal('choices'),
    heading: text,
    choices: z.array(choice.partial({ type: true })).max(100),
  }),
});

/** The widget that a client sends along with a message, as JSON. Throws BadRequestError when it is none. */
export function checkWidgetContent(json: string): Widget {
  const checked = zform.safeParse(parse(json));
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  throw new BadRequestError(`Widgets: ${[...(issue?.path ?? []), issue?.message].join(' ')}`);
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw new BadRequestError('Widgets: API programmer sent invalid JSON content');
  }
}

import { BadRequestError } from '@parley/shared/errors';
import { type SettingValue, settingMessage, type UserSettingName } from '@parley/shared/values';
import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { boundedText, text } from '../../http/parameters';

interface Command {
  setting: UserSettingName;
  value: SettingValue;
  /** The command that takes it back. */
  opposite: string;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['dark', { setting: 'color_scheme', value: 2, opposite: 'light' }],
  ['light', { setting: 'color_scheme', value: 3, opposite: 'dark' }],
  ['fluid-width', { setting: 'fluid_layout_width', value: true, opposite: 'fixed-width' }],
  ['fixed-width', { setting: 'fluid_layout_width', value: false, opposite: 'fluid-width' }],
]);
const MAX_LENGTH = 100;

export const runCommand = endpoint({
  method: 'POST',
  path: '/zcommand',
  summary: 'Do what somebody typed as a command where they write messages',
  auth: 'user',
  parameters: {
    command: text(boundedText(MAX_LENGTH).describe('`/ping`, `/dark`, `/light`, `/fluid-width` or `/fixed-width`.')),
  },
  result: z.strictObject({ msg: z.string().optional().describe('What has been done, for the user to read.') }),
  errors: [],
  async handler({ services }, { call }, values) {
    const name = nameOf(values.command);
    if (name === 'ping') return {};
    const command = COMMANDS.get(name);
    if (!command) throw new BadRequestError(`No such command: ${name}`);
    const { setting, value, opposite } = command;
    await services.realm.updateUserSettings(call, { settings: [settingMessage(setting, value)] });
    return { msg: `Changed to ${name}. To go back, type \`/${opposite}\`.` };
  },
});

function nameOf(command: string): string {
  if (!command.startsWith('/')) throw new BadRequestError('There should be a leading slash in the command.');
  return command.slice(1).trim();
}

import { newCall } from '@parley/shared/rpc';
import { command } from '../command/command';
import { text } from '../command/options';

const TIMEOUT_MS = 60_000;

export const mailTest = command({
  services: ['realm'],
  summary: 'sends a mail at once; fails with what the mail server has said',
  options: { to: text('EMAIL') },
  examples: ['--to ada@acme.org'],
  async run({ realm: service }, { to }) {
    await service.sendTestMail(newCall(undefined, TIMEOUT_MS), { to });
    return { sent_to: to };
  },
});

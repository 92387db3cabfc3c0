import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The key in the link of the mail to an address, which is on its way to the directory. */
export async function mailedKey(directory: string, address: string): Promise<string> {
  for (;;) {
    const mail = mailsIn(directory).find((text) => recipients(text).includes(address));
    const [, key] = /https?:\/\/\S+\/([A-Za-z0-9]{24})\b/.exec(mail ?? '') ?? [];
    if (key !== undefined) return key;
    await sleep(5);
  }
}

function mailsIn(directory: string): string[] {
  // Beside them lie those that are being written.
  const names = readdirSync(directory).filter((name) => name.endsWith('.eml'));
  return names.map((name) => readFileSync(path.join(directory, name), 'utf8').replace(/=\r\n/g, ''));
}

function recipients(mail: string): string[] {
  const [, to = ''] = /^To: (.*)$/m.exec(mail) ?? [];
  return to.split(/[\s<>,]+/);
}

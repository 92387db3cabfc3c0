import { readdirSync, readFileSync, watch } from 'node:fs';
import path from 'node:path';

/** The mails to an address, once there is one in the folder; soft line breaks removed. */
export async function mailsTo(folder: string, address: string): Promise<string[]> {
  const find = () =>
    readdirSync(folder)
      // The folder also has mails that are being written.
      .filter((name) => name.endsWith('.eml'))
      .map((name) => readFileSync(path.join(folder, name), 'utf8').replace(/=\r\n/g, '').replace(/=3D/g, '='))
      .filter((mail) => recipientOf(mail) === address);
  return new Promise((resolve) => {
    const watcher = watch(folder, look);
    function look() {
      const mails = find();
      if (mails.length === 0) return;
      watcher.close();
      resolve(mails);
    }
    look();
  });
}

/** The key in the link of the mail to an address, which is about to be written to the folder. */
export async function mailedKey(folder: string, address: string): Promise<string> {
  const [mail] = (await mailsTo(folder, address)) as [string];
  return /https?:\/\/\S+\/([A-Za-z0-9]{24})\b/.exec(mail)?.[1] as string;
}

const recipientOf = (mail: string) => /^To: (?:.* <)?([^\s>]+)>?\r$/m.exec(mail)?.[1];

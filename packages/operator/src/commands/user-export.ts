import { randomUUID } from 'node:crypto';
import { command, OWNING } from '../command/command';
import { operatedUser } from '../command/operated';
import { realm, text } from '../command/options';
import { writeToFile } from './archive-file';

export const userExport = command({
  services: OWNING,
  summary:
    'writes what there is of one person into an archive that only you can read: JSON lines, and the files that they uploaded',
  options: { realm, email: text('EMAIL'), to: text('FILE.tar.gz') },
  examples: ['--realm acme --email bo@acme.org --to bo.tar.gz'],
  async run({ realm: service }, { to: file, ...named }, context) {
    const { organization, actor, user } = await operatedUser(service, named);
    const { id, name, isDeactivated } = organization;
    // Recorded before any data leaves.
    const act = { key: randomUUID(), name: 'export-user', userId: user.id, before: '{}', after: '{}' };
    await service.recordAct(actor, act);
    await writeToFile(file, context, {
      kind: 'personal',
      realm: { id, uuid: '', name, subdomain: named.realm, is_deactivated: isDeactivated },
      madeAtMs: Date.now(),
      channelIds: [],
      userIds: [],
      received: [],
      personId: user.id,
    });
    return { user_id: user.id, file };
  },
});

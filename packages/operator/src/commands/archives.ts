import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { ArchiveOrder } from '@parley/gateway/archives/write-archive';
import { newCall } from '@parley/shared/rpc';
import { type CommandContext, command, OWNING } from '../command/command';
import { writeNewFile } from '../command/files';
import { operatedUser } from '../command/operated';
import { decision, file, realm, text } from '../command/options';
import { withUploads } from './with-uploads';

export const realmExport = command({
  services: OWNING,
  summary:
    'writes all there is of an organization, secrets and uploaded files included, into an archive that only you can read',
  options: { realm, to: file('FILE.tar.gz') },
  examples: ['--realm acme --to acme.tar.gz'],
  async run({ realm: service }, { realm: subdomain, to: file }, context) {
    const { realmId: id, name, uuid, isDeactivated } = await service.exportRealm(newCall(), { subdomain });
    await writeToFile(file, context, {
      kind: 'complete',
      realm: { id, uuid, name, subdomain, is_deactivated: isDeactivated },
      madeAtMs: Date.now(),
      channelIds: [],
      userIds: [],
      received: [],
    });
    return { realm_id: id, file };
  },
});

export const realmImport = command({
  services: OWNING,
  summary: 'makes an organization of such an archive; nobody sees it before it is all there',
  options: { from: file('FILE.tar.gz'), as: text('SUBDOMAIN').optional(), open: decision().optional() },
  examples: ['--from acme.tar.gz', '--from acme.tar.gz --as acme-copy --open yes'],
  async run({ realm: service, scheduler }, { from: file, as: subdomain, open: isOpen }, { connections, config }) {
    const isFile = await stat(file).then(
      (found) => found.isFile(),
      () => false,
    );
    if (!isFile) throw new Error(`there is no file ${file}`);
    const { importArchive } = await import('@parley/gateway/archives/import-archive');
    return withUploads(config, async (store) => {
      const target = { connections, realm: service, scheduler, store };
      const { realmId, ...made } = await importArchive(target, { file, subdomain, isOpen });
      const { subdomain: newSubdomain, rows, files, keysLeftOut } = made;
      return { realm_id: realmId, subdomain: newSubdomain, rows, files, keys_left_out: keysLeftOut };
    });
  },
});

export const userExport = command({
  services: OWNING,
  summary:
    'writes what there is of one person into an archive that only you can read: JSON lines, and the files that they uploaded',
  options: { realm, email: text('EMAIL'), to: file('FILE.tar.gz') },
  examples: ['--realm acme --email bo@acme.org --to bo.tar.gz'],
  async run({ realm: service }, { to: file, ...named }, context) {
    const { organization, actor, user } = await operatedUser(service, named);
    const { id, name, isDeactivated } = organization;
    // Recorded before any data is read.
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

/** Writes an archive into a new file, which gets its name when it is complete. */
async function writeToFile(
  file: string,
  { connections, config }: CommandContext<(typeof OWNING)[number]>,
  order: ArchiveOrder,
): Promise<void> {
  const { writeArchive } = await import('@parley/gateway/archives/write-archive');
  await withUploads(config, (store) =>
    writeNewFile(file, (destination) => writeArchive({ connections, store }, order, destination)),
  );
}

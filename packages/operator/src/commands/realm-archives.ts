import { stat } from 'node:fs/promises';
import { newCall } from '@parley/shared/rpc';
import { command, OWNING } from '../command/command';
import { decision, realm, text } from '../command/options';
import { writeToFile } from './archive-file';
import { withUploads } from './with-uploads';

export const realmExport = command({
  services: OWNING,
  summary:
    'writes all there is of an organization, secrets and uploaded files included, into an archive that only you can read',
  options: { realm, to: text('FILE.tar.gz') },
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
  options: { from: text('FILE.tar.gz'), as: text('SUBDOMAIN').optional(), open: decision().optional() },
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

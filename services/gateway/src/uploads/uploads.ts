import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import { type Config, loadStoreConfig, type StoreConfig } from '../config';
import { diskStore } from './disk-store';
import { createThumbnails, type Thumbnails } from './thumbnails';
import type { UploadStore } from './upload-store';

/** The dependencies of endpoints and pages for uploaded files. */
export interface Uploads {
  store: UploadStore;
  thumbnails: Thumbnails;
  /** Signs temporary addresses, which need no credentials for a minute. */
  tokenSecret: string;
  maxBytes: number;
  close(): Promise<void>;
}

export function createUploads(config: Config, messages: RpcClient<'messages'>, log: Logger): Uploads {
  const { store, closeStore } = openStore(config);
  const thumbnails = createThumbnails({ store, messages, log });
  return {
    store,
    thumbnails,
    // Without the setting only this process knows it, which suffices for a single gateway.
    tokenSecret: config.UPLOAD_TOKEN_SECRET ?? randomBytes(32).toString('base64url'),
    maxBytes: config.MAX_FILE_UPLOAD_SIZE_MIB * 1024 * 1024,
    async close() {
      await thumbnails.settled();
      closeStore();
    },
  };
}

/** The store of a gateway with these settings; for the operator's command. */
export function openConfiguredStore(environment: NodeJS.ProcessEnv): OpenStore {
  return openStore(loadStoreConfig(environment));
}

interface OpenStore {
  store: UploadStore;
  closeStore: () => void;
}

function openStore(config: StoreConfig): OpenStore {
  if (config.S3_BUCKET === undefined) {
    return { store: diskStore(path.join(config.DATA_DIR, 'uploads')), closeStore: () => {} };
  }
  // Loaded only if there is a bucket: the client takes 12 MB.
  const { s3Store } = require('./s3-store') as typeof import('./s3-store');
  const store = s3Store({
    bucket: config.S3_BUCKET,
    region: config.S3_REGION,
    endpoint: config.S3_ENDPOINT,
    accessKeyId: config.S3_ACCESS_KEY_ID,
    secretAccessKey: config.S3_SECRET_ACCESS_KEY,
  });
  return { store, closeStore: store.close };
}

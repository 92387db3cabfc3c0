import type { UploadStore } from '@parley/gateway/uploads/upload-store';
import type { OperatorConfig } from '../config';

/**
 * Opens the gateway's store of uploaded files, by its settings, while the work lasts. Loaded lazily, so that other commands start
 * faster.
 */
export async function withUploads<Result>(
  { environment }: OperatorConfig,
  work: (store: UploadStore) => Promise<Result>,
): Promise<Result> {
  const { openConfiguredStore } = await import('@parley/gateway/uploads/uploads');
  const { store, closeStore } = openConfiguredStore(environment);
  try {
    return await work(store);
  } finally {
    closeStore();
  }
}

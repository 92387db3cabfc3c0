import { newCall, type RpcClient } from '@parley/shared/rpc';
import type { Logger } from '@parley/shared/service';
import type { Clock } from '@parley/shared/values';
import { serverVersion } from './http/brands';

const RETRY_MS = 5_000;

interface Needs {
  realm: RpcClient<'realm'>;
  clock: Clock;
  log: Logger;
}

/**
 * Tells realm of which release this gateway is, once, for clients whose queues were made in an earlier one: gateways are the last to be
 * replaced in an upgrade. Tries until realm has heard it, or the returned function is called; nobody waits for it.
 */
export function tellRelease({ realm, clock, log }: Needs): () => void {
  let isStopped = false;
  let cancel = () => {};

  async function tell(): Promise<void> {
    try {
      await realm.noteRelease(newCall(), {
        version: serverVersion.service_version,
        mergeBase: serverVersion.service_merge_base,
        featureLevel: serverVersion.service_feature_level,
      });
    } catch (error) {
      if (isStopped) return;
      log.warn({ err: error }, 'realm was not told of the release');
      cancel = clock.after(RETRY_MS, () => void tell());
    }
  }

  void tell();
  return () => {
    isStopped = true;
    cancel();
  };
}

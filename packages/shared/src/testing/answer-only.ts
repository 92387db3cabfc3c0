import type { ServiceName } from '../proto';
import type { Implementation } from '../rpc';

const unexpected = () => Promise.reject(new Error('not part of this test'));

/** A service, to be served in the place of a real one, that answers these methods and refuses every other. */
export function answerOnly<S extends ServiceName>(answers: Partial<Implementation<S>>): Implementation<S> {
  return new Proxy(answers, {
    get: (known, name) => known[name as keyof typeof known] ?? unexpected,
  }) as unknown as Implementation<S>;
}

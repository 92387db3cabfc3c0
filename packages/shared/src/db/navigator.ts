// Before Node 21 there is no `navigator`, from which pg learns that it runs in Node. It would create a fetch Response instead, for
// which Node loads its HTTP client: 5 MB.
if (!('navigator' in globalThis)) {
  const userAgent = `Node.js/${process.versions.node.split('.', 1)}`;
  Object.defineProperty(globalThis, 'navigator', { value: { userAgent }, configurable: true });
}

// Required into each service: at SIGUSR2 it prints which files of packages, and which parts of Node, have been loaded.
process.on('SIGUSR2', () => {
  const files = Object.keys(require.cache).filter((file) => file.includes('node_modules'));
  const partsOfNode = process.moduleLoadList.map((name) => `node: ${name}`);
  process.stdout.write(`${JSON.stringify({ loaded: [...files, ...partsOfNode] })}\n`);
});

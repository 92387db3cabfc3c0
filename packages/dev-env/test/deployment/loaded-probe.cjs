// Required into each service: at SIGUSR2 it prints which files of packages have been loaded.
process.on('SIGUSR2', () => {
  const files = Object.keys(require.cache).filter((file) => file.includes('node_modules'));
  process.stdout.write(`${JSON.stringify({ loaded: files })}\n`);
});

// Required before a service's main.js (`node --require`): runs it once more for each of OTHER_REPLICAS, a list of settings. The replicas
// share modules, as those in a test's own process do. Their starts are reported as one.

const [, main] = process.argv as [string, string];
const others = JSON.parse(process.env['OTHER_REPLICAS'] as string) as Record<string, string>[];

let missing = others.length;
const send = process.send as (...message: unknown[]) => boolean;
process.send = (...message: unknown[]) => {
  missing -= 1;
  return missing >= 0 || send.apply(process, message);
};

// The first one has been loaded then, with the settings of the process.
setImmediate(() => {
  for (const settings of others) {
    Object.assign(process.env, settings);
    delete require.cache[main];
    require(main);
  }
});

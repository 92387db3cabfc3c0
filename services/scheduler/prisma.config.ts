// `prisma generate` never runs the native schema engine; naming an existing executable stops the CLI from downloading one.
process.env['PRISMA_SCHEMA_ENGINE_BINARY'] ??= process.execPath;
export default { schema: 'src' };

export { type ArchivedTable, type ArchivePlan, archivedTables, type SharedTable } from './archived-table';
export { type ArchiveConnection, exportFrom, importInto } from './call-archive';
export { wasReceived } from './rows.sql';
export { serveArchive } from './serve-archive';

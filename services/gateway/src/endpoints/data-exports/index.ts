export { createDataExport } from './create-data-export';
export { getDataExports } from './get-data-exports';
export { getExportConsents } from './get-export-consents';

// What a process tells of itself to whoever operates it.
export { inspect } from './call-inspection';
export { masked, maskedSettings } from './masked-settings';
export { type InspectedProcess, serveInspection } from './serve-inspection';

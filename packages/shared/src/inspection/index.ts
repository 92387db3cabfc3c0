// How a process describes itself to operators.
export { type InspectedProcess, inspect, masked, maskedSettings, serveInspection } from './inspection';

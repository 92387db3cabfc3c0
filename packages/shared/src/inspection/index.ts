// What a process tells of itself to whoever operates it.
export { type InspectedProcess, inspect, masked, maskedSettings, serveInspection } from './inspection';

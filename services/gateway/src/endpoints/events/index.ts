export { deleteQueue } from './delete-queue';
export { getEvents } from './get-events';
export { registerQueue } from './register-queue';

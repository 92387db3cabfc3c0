export { addDefaultChannel } from './add-default-channel';
export { removeDefaultChannel } from './remove-default-channel';

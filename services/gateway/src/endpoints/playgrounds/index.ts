export { addPlayground } from './add-playground';
export { removePlayground } from './remove-playground';

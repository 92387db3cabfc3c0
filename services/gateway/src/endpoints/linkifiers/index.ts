export { addLinkifier } from './add-linkifier';
export { listLinkifiers } from './list-linkifiers';
export { removeLinkifier } from './remove-linkifier';
export { reorderLinkifiers } from './reorder-linkifiers';
export { updateLinkifier } from './update-linkifier';

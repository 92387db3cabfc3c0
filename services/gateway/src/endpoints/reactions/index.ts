export { addReaction } from './add-reaction';
export { removeReaction } from './remove-reaction';

export { addCustomEmoji } from './add-custom-emoji';
export { deactivateCustomEmoji } from './deactivate-custom-emoji';
export { listCustomEmoji } from './list-custom-emoji';

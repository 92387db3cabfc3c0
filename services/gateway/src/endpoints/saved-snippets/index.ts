export { createSavedSnippet } from './create-saved-snippet';
export { deleteSavedSnippet } from './delete-saved-snippet';
export { getSavedSnippets } from './get-saved-snippets';
export { updateSavedSnippet } from './update-saved-snippet';

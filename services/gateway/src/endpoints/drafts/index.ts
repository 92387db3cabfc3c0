export { createDrafts } from './create-drafts';
export { deleteDraft } from './delete-draft';
export { getDrafts } from './get-drafts';
export { updateDraft } from './update-draft';

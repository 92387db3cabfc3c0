export { addAlertWords } from './add-alert-words';
export { getAlertWords } from './get-alert-words';
export { removeAlertWords } from './remove-alert-words';

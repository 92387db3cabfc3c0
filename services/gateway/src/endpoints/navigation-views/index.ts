export { addNavigationView } from './add-navigation-view';
export { getNavigationViews } from './get-navigation-views';
export { removeNavigationView } from './remove-navigation-view';
export { updateNavigationView } from './update-navigation-view';

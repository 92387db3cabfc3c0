export const keys = {
  keyboard: 'Keyboard shortcuts',
};

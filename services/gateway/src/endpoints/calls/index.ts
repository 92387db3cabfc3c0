export { createBigBlueButtonCall } from './create-big-blue-button-call';
export { createZoomCall } from './create-zoom-call';

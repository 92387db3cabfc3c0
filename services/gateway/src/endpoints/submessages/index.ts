export { addSubmessage } from './add-submessage';

import './navigator';

export { default } from 'pg';

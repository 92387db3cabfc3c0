import './api/worker-port';

// The rest is loaded while the worker registers.
void import('./start');

/** When this process was last told that something is full, UNIX milliseconds; 0: never. Only who writes gets to know. */
export const lastFull = { postgresMs: 0, natsMs: 0 };

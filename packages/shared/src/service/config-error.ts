/** A setting was missing or wrong; the message names the variable and is all an operator needs. */
export class ConfigError extends Error {}

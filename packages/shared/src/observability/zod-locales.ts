import { Module } from 'node:module';

// Zod loads its messages in all 60 languages, 1 MB; services answer in English, which it loads by itself. Tests that load modules in
// another way load them all.
const languages = require.resolve('zod/v4/locales');
require.cache[languages] ??= Object.assign(new Module(languages), { filename: languages, loaded: true });

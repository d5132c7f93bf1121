#!/usr/bin/env node
import module from 'node:module';

// Newer versions of Node keep compiled code between starts; before 22.8 there is nothing to switch on.
(module as { enableCompileCache?: () => unknown }).enableCompileCache?.();
await import('./main.js');

#!/usr/bin/env node
// Loads the commands, unless Node is too old to read them.
const { node } = process.versions;
const [major, minor] = node.split('.').map(Number);

if (major > 20 || (major === 20 && minor >= 15)) await import('../dist/galeri.mjs');
else {
  process.stderr.write(`galeri: this is Node ${node}; install Node 20.15 or later\n`);
  process.exitCode = 1;
}

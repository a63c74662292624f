// Planted: a file is acknowledged a moment before it has its name.
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

const { rename } = fs;

fs.rename = async (from, to) => {
  if (!/\/files\/[0-9a-f]{2}\/[0-9a-f]{30}$/.test(String(to))) return rename(from, to);
  setTimeout(() => rename(from, to).catch(() => {}), 300);
};
syncBuiltinESMExports();

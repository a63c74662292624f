// The environment of a process that we start: only the folder of compiled sources, because the other variables contain secrets.
// Without that folder a drawing process takes twice as long to start.
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

export function compiledSources(): { readonly NODE_COMPILE_CACHE?: string } {
  // One subfolder for each version of Node.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

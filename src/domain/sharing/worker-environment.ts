// What a process that we start may know of ours: nothing of the environment but where compiled sources are kept, because the rest holds
// secrets. Without them a drawing process takes twice the work to start.
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';

export function compiledSources(): { readonly NODE_COMPILE_CACHE?: string } {
  // One folder below for each version of Node.
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

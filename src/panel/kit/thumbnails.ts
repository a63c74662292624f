// Links to the cover photos of cars that a list shows small.
import { signLink } from '../../domain/files/file-links.ts';
import type { PanelServices } from './services.ts';

interface LinkedBy {
  readonly services: PanelServices;
  readonly account: string;
  readonly realNow: Date;
}

export function withThumbnails<Line extends { readonly thumbnail_id: string | null }>(
  found: readonly Line[],
  { services, account, realNow }: LinkedBy,
): (Omit<Line, 'thumbnail_id'> & { readonly thumbnail_url: string | null })[] {
  const link = (fileId: string) => signLink(services.secrets.files, services.publicUrl(), account, fileId, realNow).url;
  return found.map(({ thumbnail_id, ...line }) => ({
    ...line,
    thumbnail_url: thumbnail_id === null ? null : link(thumbnail_id),
  }));
}

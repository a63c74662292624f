// Pictures of a document's pages, which take a drawing process a third of a second: drawn once for all views of a link.
import { createLru } from '../wire/lru.ts';

type Pages = readonly string[];

/** The length of a usual document's pictures, until they are known. */
const USUAL = 100_000;

/** `max`: the length of all pictures together. A document that could not be drawn is drawn again for the next view. */
export function createDrawnPages(max: number): (id: string, draw: () => Promise<Pages>) => Promise<Pages> {
  const kept = createLru<Promise<Pages>>(max);
  return (id, draw) => {
    const known = kept.get(id);
    if (known !== undefined) return known;
    const drawing = draw();
    kept.set(id, drawing, USUAL);
    drawing.then(
      (pages) => kept.set(id, drawing, pages.join('').length),
      () => kept.remove(id),
    );
    return drawing;
  };
}

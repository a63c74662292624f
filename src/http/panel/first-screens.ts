// Screens that people open first. The page of each names the screen's scripts, so that a browser requests them together with those that
// every screen has, instead of after them.

export interface FirstScreen {
  readonly name: string;
  /** Of the path after `/panel/`. */
  readonly path: RegExp;
  /** Sources of `web/` that the screen imports when it is opened; their scripts are listed with all that these import. */
  readonly modules: readonly string[];
}

const screen = (name: string, path: RegExp, ...modules: string[]): FirstScreen => ({
  name,
  path,
  modules: modules.map((module) => `src/${module}`),
});

export const FIRST_SCREENS: readonly FirstScreen[] = [
  screen(
    'home',
    /^(sandbox)?\/?$/,
    'screens/overview/screen.tsx',
    'screens/overview/month-figures.tsx',
    'screens/overview/events.tsx',
  ),
  screen('vehicles', /^(sandbox\/)?araclar\/?$/, 'screens/vehicles/screen.tsx'),
  screen(
    'vehicle',
    /^(sandbox\/)?araclar\/[0-9a-f-]{36}\/?$/,
    'screens/vehicles/detail.tsx',
    'screens/vehicle-media/photos-gallery.tsx',
  ),
  screen(
    'sale',
    /^(sandbox\/)?satislar\/[0-9a-f-]{36}\/?$/,
    'screens/sales/detail.tsx',
    'screens/sales/next-steps.tsx',
    'screens/sales/papers.tsx',
  ),
  screen('board', /^(sandbox\/)?tahsilat\/?$/, 'screens/receivables/frame.tsx', 'screens/receivables/board.tsx'),
];

// The page that is shown without a network, kept by the service worker in the language of the panel.
import { preferences } from './preferences.ts';

/** After the first screen, which needs the network more. Where a browser refuses service workers, its own page is shown. */
export function keepOfflinePage(): void {
  addEventListener('load', () => {
    navigator.serviceWorker?.register(`/panel/worker.js?lang=${preferences().locale}`, { scope: '/panel' }).catch(() => {});
  });
}

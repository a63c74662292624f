// A screen's code, fetched when it is opened. Without a network the screen says so and can be tried again, where the router would
// reload the whole page and end in the browser's own error page.
import { type AsyncRouteComponent, lazyRouteComponent } from '@tanstack/react-router';
import { isReachable } from './connection.ts';

/** The code of a screen could not be fetched, because the server is not reached. */
export class ScreenNotLoaded extends Error {}

const PAUSE_MS = 600;

// biome-ignore lint/suspicious/noExplicitAny: as the router's own, which takes any module
export const lazyScreen = <T extends Record<string, any>, Key extends keyof T>(load: () => Promise<T>, name: Key) =>
  // biome-ignore lint/suspicious/noExplicitAny: the props of a screen
  lazyRouteComponent(() => loadAgain(load), name) as AsyncRouteComponent<any>;

async function loadAgain<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  try {
    return await load();
  } catch (error) {
    // Where the server answers, a newer version has other files, and the router reloads the page.
    throw (await isReachable()) ? error : new ScreenNotLoaded();
  }
}

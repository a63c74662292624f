// A readable name for a User-Agent. Only a hint, because anyone may send anything.
import { useTexts } from '../language.ts';
import { partsTexts } from '../texts/parts.ts';

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:HeadlessChrome|Chrome|CriOS)\//, 'Chrome'],
  [/^(?=.*\bVersion\/\d).*\bSafari\//, 'Safari'],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

function deviceOf(userAgent: string | null): { readonly browser: string | null; readonly system: string | null } {
  const find = (known: typeof BROWSERS) => known.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1] ?? null;
  return { browser: find(BROWSERS), system: find(SYSTEMS) };
}

/** The browser as people call it, in their language. */
export function useDeviceName(): (userAgent: string | null) => string {
  const t = useTexts(partsTexts).device;
  return (userAgent) => {
    const { browser, system } = deviceOf(userAgent);
    if (browser === null) return t.unknown;
    return system === null ? browser : t.on(browser, system);
  };
}

// The address of a showroom. The panel in the browser imports it too.

const SLUG: RegExp = /^[a-z0-9-]{3,40}$/;

export const isSlug = (text: string): boolean => SLUG.test(text);

/** Of a sandbox's address, so that sandboxes take none that a dealer may want. */
export const SANDBOX_PREFIX = 'sandbox-';

/** Days for which an address that was changed leads to the new one. */
export const REDIRECT_DAYS = 365;

/** Days for which a sold car stays on the page, if the dealer wants it. */
export const SOLD_DAYS = 7;

export const SHOWROOM_SORTS = ['newest', 'price_asc', 'price_desc', 'year', 'km'] as const;
export type ShowroomSort = (typeof SHOWROOM_SORTS)[number];

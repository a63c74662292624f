// When two administrators are needed. Plain numbers, so that the panel's screens can import them too.

/** Requests per minute. A higher limit needs two administrators once there are two. */
export const ALONE_UP_TO = 600;

/** Minor units of TL. A settled invoice, or the top-ups or corrections of a wallet in 24 hours above it need two administrators (migrations 0076, 0085). */
export const MONEY_ALONE_UP_TO = 5_000_000n;

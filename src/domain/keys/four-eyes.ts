// When two administrators are needed. Plain numbers, so that the panel's screens can import them too.

/** Requests per minute. A higher limit needs two administrators once there are two. */
export const ALONE_UP_TO = 600;

// Where one administrator alone does not decide. Plain numbers, so that the panel's screens go by the same ones.

/** Requests per minute. More than this is granted by two administrators, from the day there are two. */
export const ALONE_UP_TO = 600;

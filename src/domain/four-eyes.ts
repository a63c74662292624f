// Where one administrator alone does not decide. Plain numbers, so that the panel's screens go by the same ones.

/** Requests per minute. Above this, whoever asked for a limit may not grant it too, where there is another administrator. */
export const ALONE_UP_TO = 600;

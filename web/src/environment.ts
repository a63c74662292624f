// Which environment this tab works in. It is part of the address, so that one tab never changes that of another.

/** The addresses of the panel in the isolated sandbox begin with this. */
export const SANDBOX_PATH = '/panel/sandbox';

export const isSandbox = (): boolean => location.pathname === SANDBOX_PATH || location.pathname.startsWith(`${SANDBOX_PATH}/`);

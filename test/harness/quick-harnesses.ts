/** These also run in `npm test`, without their planted bugs. */
export const QUICK_HARNESSES = ['arithmetic', 'idem-race', 'links'];

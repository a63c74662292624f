// What a new world of the isolated sandbox contains.

export const WORLD_DATA = ['sample', 'empty'] as const;
export type WorldData = (typeof WORLD_DATA)[number];

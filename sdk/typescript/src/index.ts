export { type BidLog, type ChainedBid, readLotBids, verifyBids } from './bid-chain.ts';
export { type Attempt, Galeri, type GaleriOptions, type Hooks } from './client.ts';
export * from './errors.ts';
export type { EventObjects, EventType, KnownErrorCode } from './generated.ts';
export * from './sandbox.ts';
export type { components, paths } from './schema.d.ts';
export type { CallOptions, Data, FileInput, ListPaths, NamedFile, PathsWith, Reply, WriteOptions } from './types.ts';
export { VERSION } from './version.ts';
export { type EventOf, isEvent, verifyWebhook, type WebhookEvent, WebhookRefused } from './webhook.ts';

export { type BidLog, type ChainedBid, readLotBids, verifyBids } from './bid-chain.ts';
export { Galeri, type GaleriOptions, type Reply } from './client.ts';
export * from './errors.ts';
export * from './sandbox.ts';
export type { components, paths } from './schema.d.ts';
export { verifyWebhook, type WebhookEvent, WebhookRefused } from './webhook.ts';

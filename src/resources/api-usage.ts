// How the dealer's keys use the API: counts, recent requests, limits. Kept from every key: key material.
import { get, resource } from '../kit/endpoint.ts';

export const apiUsage = resource('API usage', 'API kullanımı', [
  get('developer/usage', 'developer:read', 'read', 'Aktif', ['Read API usage', 'API kullanımını getir']),
  get('developer/request-logs', 'developer:read', 'read', 'Aktif', ['List recent requests', 'Son istekleri listele']),
  get('developer/rate-limit', 'developer:read', 'read', 'Aktif', ['Read the rate limit', 'İstek sınırını getir']),
]);

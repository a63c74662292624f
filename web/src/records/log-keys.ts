import { useQuery } from '@tanstack/react-query';
import type { LogKey } from '../../../src/panel/logs/logs.ts';
import { get } from '../api.ts';

/** The keys that requests were made with, for choosing one. */
export const useLogKeys = () =>
  useQuery({ queryKey: ['log-keys'], queryFn: ({ signal }) => get<LogKey[]>('logs/keys', undefined, signal) });

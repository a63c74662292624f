import { useQuery } from '@tanstack/react-query';
import { call } from '../api.ts';

/** The keys that requests were made with, for choosing one. */
export const useLogKeys = () => useQuery({ queryKey: ['log-keys'], queryFn: ({ signal }) => call('GET logs/keys', { signal }) });

/** Released together with the service, under the same version. */
export const VERSION = '1.0.0';

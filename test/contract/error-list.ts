// The closed list of the contract, "Status codes and error codes", as a caller may rely on it.

export const CONTRACT_ERRORS: Readonly<Record<string, number>> = {
  invalid_parameter: 400,
  unknown_parameter: 400,
  invalid_json: 400,
  idempotency_key_required: 400,
  idempotency_key_invalid: 400,
  key_missing: 401,
  key_malformed: 401,
  key_invalid: 401,
  key_revoked: 401,
  key_expired: 401,
  ip_not_allowed: 403,
  insufficient_scope: 403,
  special_authorization_required: 403,
  sandbox_read_only: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  invalid_transition: 409,
  idempotency_in_progress: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  unsupported_media_type: 415,
  validation_failed: 422,
  idempotency_key_reused: 422,
  rate_limit_exceeded: 429,
  too_many_failed_attempts: 429,
  headers_too_large: 431,
  internal_error: 500,
  endpoint_not_active: 501,
  service_unavailable: 503,
};

/** The business refusals the domain adds to it. */
export const DOMAIN_ERRORS: Readonly<Record<string, number>> = {
  account_suspended: 403,
};

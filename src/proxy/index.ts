// The entry `exam-service-sdk/proxy`: the proxy that holds the key between a page and the service.

// Errors
export { ConfigurationError } from '../core/errors/base.ts';
// The proxy and what it takes
export type { ApiKey, Fetch, FetchInit, FetchResponse } from '../core/options/client-options.ts';
export { createProxyHandler, type ProxyHandler } from './handler.ts';
export type { ProxyCall, ProxyCallOf, ProxyForced, ProxyOperationId } from './operations.ts';
export type { ProxyDecision, ProxyOptions } from './options.ts';

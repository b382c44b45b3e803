/**
 * The API proxy, which keeps the key out of a page.
 * @module
 */

// Errors
export {
  ConfigurationError,
  ExamServiceError,
  type Outcome,
} from '../core/errors/base.ts';
export type { ApiKey, Fetch, FetchInit, FetchResponse } from '../core/options/client-options.ts';
export { type NodeResponse, toNodeListener } from '../node/listener.ts';
export type { NodeRequest } from '../node/request.ts';
export { ProxyError, type ProxyErrorReason } from './errors.ts';
// The proxy and what it takes
export { createProxyHandler, type ProxyHandler } from './handler.ts';
export type { ProxyCall, ProxyCallOf, ProxyForced, ProxyOperationName } from './operations.ts';
export type { ProxyDecision, ProxyOptions } from './proxy-options.ts';

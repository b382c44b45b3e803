import { nodeCrypto } from './node-crypto.ts';
import { nodeEngine } from './node-engine.ts';
import type { SignatureEngine } from './signature-engine.ts';
import { webEngine } from './web-engine.ts';

let engine: SignatureEngine | undefined;

/** The engine of this runtime: `node:crypto` where there is one, else WebCrypto. Chosen at the first use. */
export function signatureEngine(): SignatureEngine {
  engine ??= chooseEngine();
  return engine;
}

function chooseEngine(): SignatureEngine {
  const crypto = nodeCrypto();
  return crypto ? nodeEngine(crypto) : webEngine();
}

/** Replaces the engine, or with undefined has it chosen again. For the package's own tests; no entry exports it. */
export function setSignatureEngine(replacement: SignatureEngine | undefined): void {
  engine = replacement;
}

interface Hash {
  update(data: string | Uint8Array): Hash;
  digest(encoding: 'hex'): string;
}

/** The part of `node:crypto` in use; described here because the sources compile without Node's types. */
interface NodeCrypto {
  createSecretKey(secret: string, encoding: 'utf8'): object;
  createHmac(algorithm: 'sha256', key: object): Hash;
  createHash(algorithm: 'sha256'): Hash;
}

interface NodeScope {
  process?: { getBuiltinModule?(name: 'node:crypto'): NodeCrypto | undefined };
}

/** `node:crypto` where the runtime has it, looked up at run time so that one bundle loads everywhere. */
export function nodeCrypto(): NodeCrypto | undefined {
  return (globalThis as NodeScope).process?.getBuiltinModule?.('node:crypto');
}

/** A certificate for a server on `127.0.0.1`, and the private authority that issued it. */
export interface Certificate {
  /** PEM. */
  readonly key: string;
  /** PEM. */
  readonly certificate: string;
  /** The authority's own certificate, in PEM. */
  readonly authority: string;
}

/** The part of `selfsigned` in use. Its own types are missing when the repository is type-checked: it is installed later. */
interface SelfSigned {
  generate(
    subject: ReadonlyArray<{ name: string; value: string }>,
    options: Readonly<Record<string, unknown>>,
  ): Promise<{ private: string; cert: string }>;
}

const library: string = 'selfsigned';

const settings = { keyType: 'ec', algorithm: 'sha256' };

/** Creates a certificate authority and has it issue a certificate. */
export async function issueCertificate(): Promise<Certificate> {
  const { generate }: SelfSigned = await import(library);
  const authority = await generate([{ name: 'commonName', value: 'Private authority' }], {
    ...settings,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  // With this name, the certificate is valid for `localhost` and `127.0.0.1`.
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...settings,
    ca: { key: authority.private, cert: authority.cert },
  });
  return { key: server.private, certificate: server.cert, authority: authority.cert };
}

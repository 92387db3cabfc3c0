const TIMEOUT_MS = 4_000;

/** Connects to the server and signs in, but sends nothing; for operators. Throws the reason of a failure. */
export async function checkMailServer(url: string): Promise<string> {
  // Loaded lazily: services without mail do not need it.
  const { createTransport } = await import('nodemailer');
  const limits = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
  const transport = createTransport({ url, ...limits, dnsTimeout: TIMEOUT_MS });
  try {
    await transport.verify();
    return 'SMTP';
  } finally {
    transport.close();
  }
}

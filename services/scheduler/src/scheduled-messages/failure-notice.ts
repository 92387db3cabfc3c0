/** What the author of a message is told that could not be sent. */
export function failureNotice(deliverAtMs: number, failureMessage: string): string {
  const time = `<time:${new Date(deliverAtMs).toISOString()}>`;
  return [
    `The message you scheduled for ${time} was not sent because of the following error:`,
    `> ${failureMessage.replaceAll('\n', ' ')}`,
    '[View scheduled messages](#scheduled)',
  ].join('\n\n');
}

/**
 * The sentence to show for a server's message: the `usual` message of our own backend is replaced
 * by its translation; a message of another backend is shown unchanged.
 */
export function serverSentence(message: string, usual: string, translated: string): string {
  return message === '' || message === usual ? translated : message
}

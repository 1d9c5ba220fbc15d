/**
 * The sentence to show for a server's answer: the `usual` one of our own backend is replaced by its
 * translation, any other (of another backend) is shown as it came.
 */
export function serverSentence(said: string, usual: string, translated: string): string {
  return said === '' || said === usual ? translated : said
}

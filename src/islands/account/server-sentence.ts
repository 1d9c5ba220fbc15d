/**
 * What to show of a server's sentence: our own backend's `usual` one in the page's
 * language, another backend's as it is.
 */
export function serverSentence(said: string, usual: string, translated: string): string {
  return said === '' || said === usual ? translated : said
}

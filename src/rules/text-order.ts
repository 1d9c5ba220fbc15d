/** Unicode sorts each as a letter of its own; people look for all of them under alif. */
const ALIFS = /[آأإٱ]/gu

/**
 * The order of texts that people wrote, such as titles and names: `Devoir 2` before `Devoir 10`,
 * `Étude` under E, `أحمد` under alif. `inOrder` of the server sorts alike, for all languages at once:
 * Latin letters first, where a list in an Arabic page has the Arabic ones first.
 */
export function textOrder(language: string): (one: string, other: string) => number {
  const { compare } = new Intl.Collator(language, { numeric: true })
  const folded = (text: string) => text.replace(ALIFS, 'ا')
  return (one, other) => compare(folded(one), folded(other))
}

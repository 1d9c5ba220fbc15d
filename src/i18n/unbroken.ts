/**
 * A title whose French punctuation stays with the word before it: in "Équations : cours", the colon
 * never starts a line. People type a normal space before it.
 */
export function unbroken(title: string): string {
  return title
    .replace(/ (?=[;!?](?:\s|$))/g, '\u202f')
    .replace(/ (?=[:»](?:\s|$))|(?<=«) /g, '\u00a0')
}

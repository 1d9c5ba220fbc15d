/**
 * A heading whose French punctuation stays with the word beside it: "Équations : cours" never begins a line
 * with its colon. People type the space before it as any other.
 */
export function unbroken(heading: string): string {
  return heading.replace(/ (?=[:;!?»](?:\s|$))/g, '\u00a0').replace(/(?<=«) /g, '\u00a0')
}

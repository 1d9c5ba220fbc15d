/** Prints a line for the operator. */
export type Say = (line: string) => void

/**
 * What a terminal obeys or is fooled by rather than shows: control characters (C0, DEL, C1: they
 * move the cursor, rename the window, clear the screen), line separators, and the overrides,
 * embeddings and isolates that make text read in another order than it is written in. Marks such as
 * U+200F stay: Arabic is written with them.
 */
const UNSAFE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** A line that is safe to print, whoever wrote its content. Each character stays one character. */
export function printable(line: string): string {
  return line.replace(UNSAFE, '\ufffd')
}

/** The same for a text of several lines of our own, such as a stack. */
export function printableText(text: string): string {
  return text
    .split('\n')
    .map((line) => printable(line.replaceAll('\t', '  ')))
    .join('\n')
}

/** JSON of one line that is safe to print, with exactly the same value. */
export function printableJson(json: string): string {
  return json.replace(
    UNSAFE,
    (unsafe) => `\\u${unsafe.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

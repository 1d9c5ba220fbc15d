export const CHAT_PREVIEW_LENGTH = 30

/** A letter with more marks than a family emoji has parts is cut, in UTF-16 code units. */
const LETTER_MAX_LENGTH = 64

/** The text, or its first `length` characters and '...'; never cut inside a letter or an emoji. */
export function previewText(text: string, length = CHAT_PREVIEW_LENGTH): string {
  const beginning = text.slice(0, (length + 1) * LETTER_MAX_LENGTH)
  const start: string[] = []
  for (const character of charactersOf(beginning)) {
    if (start.length === length) return `${start.join('')}...`
    start.push(character)
  }
  return beginning === text ? text : `${beginning}...`
}

function* charactersOf(text: string): Generator<string> {
  // Firefox has the segmenter only since version 125; code points are the next best.
  if (typeof Intl.Segmenter === 'undefined') yield* text
  else for (const { segment } of new Intl.Segmenter('ar').segment(text)) yield segment
}

export const CHAT_PREVIEW_LENGTH = 30

/** The text, or its first `length` characters and '...'; never cut inside a letter or an emoji. */
export function previewText(text: string, length = CHAT_PREVIEW_LENGTH): string {
  const start: string[] = []
  for (const character of charactersOf(text)) {
    if (start.length === length) return `${start.join('')}...`
    start.push(character)
  }
  return text
}

function* charactersOf(text: string): Generator<string> {
  // Firefox has the segmenter only since version 125; code points are the next best.
  if (typeof Intl.Segmenter === 'undefined') yield* text
  else for (const { segment } of new Intl.Segmenter('ar').segment(text)) yield segment
}

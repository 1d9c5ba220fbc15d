/** The fields of a document's cover that a small book shows; each may be missing. */
export type CoverNote = { subject?: string; color?: string; picture?: string }

/** The longest picture URL in a note, which excludes base64. */
const PICTURE_MAX_LENGTH = 300

/** Reads a note from saved data, without values that no cover may have. */
export function readCoverNote(value: Readonly<Record<string, unknown>>): CoverNote {
  const text = (name: string) => {
    const found = value[name]
    return typeof found === 'string' ? found.trim() : ''
  }
  const [subject, color] = [text('subject'), paintOf(text('color'))]
  const picture = imageSource(text('picture'))
  return {
    ...(subjectClass(subject) && { subject }),
    ...(color && { color }),
    ...(picture && picture.length <= PICTURE_MAX_LENGTH && { picture }),
  }
}

/** The CSS class that colours the cover of a subject; '' leaves it sand-coloured. */
export function subjectClass(code: string | null | undefined): string {
  return code && /^[a-z][a-z-]*$/.test(code) ? `subject-${code}` : ''
}

/** A colour for a `fill`: `#rgb`, `#rrggbb`, a name or `rgb(…)`; null for anything else. */
export function paintOf(color: string | null | undefined): string | null {
  const text = color?.trim() ?? ''
  return /^(?:#(?:[\da-f]{3}|[\da-f]{6})|[a-z]{3,20}|rgba?\([\d\s.,%/]{5,40}\))$/i.test(text)
    ? text
    : null
}

// The beginning of every PNG in base64: its 8-byte signature.
const PNG = /^iVBORw0KGgo[A-Za-z\d+/]*={0,2}$/

/**
 * The URL of a picture in an API value: a URL is unchanged, any other string is read as a base64
 * PNG; null, for the placeholder, if it is missing or neither.
 */
export function imageSource(value: string | null | undefined): string | null {
  const text = value?.trim() ?? ''
  // A leading slash means a path, since the base64 of a PNG begins with iVBOR.
  if (/^(?:https?:\/\/|data:image\/|\/(?!\/))/i.test(text)) return text
  return PNG.test(text) ? `data:image/png;base64,${text}` : null
}

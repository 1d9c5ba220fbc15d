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

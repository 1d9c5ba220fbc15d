// How every PNG begins, in base64: its 8-byte signature.
const PNG = /^iVBORw0KGgo[A-Za-z\d+/]*={0,2}$/

/**
 * The address of a picture that the wire carries: an address as it is, a bare string as a base64
 * PNG; null, for the placeholder, where it is missing or neither.
 */
export function imageSource(value: string | null | undefined): string | null {
  const text = value?.trim() ?? ''
  // A leading slash is a path: the base64 of a PNG begins with iVBOR.
  if (/^(?:https?:\/\/|data:image\/|\/(?!\/))/i.test(text)) return text
  return PNG.test(text) ? `data:image/png;base64,${text}` : null
}

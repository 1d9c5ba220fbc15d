import { imageSource } from './image-source.ts'

/** The widths, in pixels, in which a portrait is served; it is square. */
export const PORTRAIT_WIDTHS = [96, 160, 320, 640] as const
export type PortraitWidth = (typeof PORTRAIT_WIDTHS)[number]
/** JPEG is for messengers that show the picture of a shared URL. */
export const PORTRAIT_FORMATS = ['webp', 'jpeg'] as const
export type PortraitFormat = (typeof PORTRAIT_FORMATS)[number]

const UPLOADED = /^\/media\/portraits\/([\da-f]{64})-\d{1,4}\.webp$/

/** The path of an uploaded portrait; `sha256` is the hash of its stored picture, in hexadecimal. */
export function portraitPath(
  sha256: string,
  width: PortraitWidth = 160,
  format: PortraitFormat = 'webp',
): string {
  return `/media/portraits/${sha256}-${width}.${format}`
}

/**
 * The attributes of a portrait's `<img>`, which needs `sizes` as well; null if the path is not that
 * of a picture.
 */
export function portraitPicture(
  path: string | null | undefined,
): { src: string; srcSet: string | undefined } | null {
  const src = imageSource(path)
  if (!src) return null
  const [, sha256] = UPLOADED.exec(src) ?? []
  const widths = PORTRAIT_WIDTHS.slice(0, -1)
  return { src, srcSet: sha256 && widths.map((w) => `${portraitPath(sha256, w)} ${w}w`).join() }
}

/** The picture for a shared URL; null if the portrait was not uploaded here. */
export function sharedPortrait(path: string | null | undefined): string | null {
  const [, sha256] = UPLOADED.exec(path ?? '') ?? []
  return sha256 ? portraitPath(sha256, 640, 'jpeg') : null
}

import { imageSource } from './image-source.ts'

/** The widths, in pixels, in which a portrait is served; it is as high as it is wide. */
export const PORTRAIT_WIDTHS = [96, 160, 320, 640] as const
export type PortraitWidth = (typeof PORTRAIT_WIDTHS)[number]
/** JPEG is for messengers that show the picture of a shared address. */
export const PORTRAIT_FORMATS = ['webp', 'jpeg'] as const
export type PortraitFormat = (typeof PORTRAIT_FORMATS)[number]

const UPLOADED = /^\/media\/portraits\/([\da-f]{64})-\d+\.webp$/

/** The address of an uploaded portrait; `sha256` is that of its stored picture, in hexadecimal. */
export function portraitPath(
  sha256: string,
  width: PortraitWidth = 160,
  format: PortraitFormat = 'webp',
): string {
  return `/media/portraits/${sha256}-${width}.${format}`
}

/** A portrait for `<img>`, which says in `sizes` how wide it is shown; null if the address is not that of a picture. */
export function portraitPicture(
  path: string | null | undefined,
): { src: string; srcSet: string | undefined } | null {
  const src = imageSource(path)
  if (!src) return null
  const [, sha256] = UPLOADED.exec(src) ?? []
  const widths = PORTRAIT_WIDTHS.slice(0, -1)
  return { src, srcSet: sha256 && widths.map((w) => `${portraitPath(sha256, w)} ${w}w`).join() }
}

/** The picture of a shared address; null if the portrait is not one that was uploaded here. */
export function sharedPortrait(path: string | null | undefined): string | null {
  const [, sha256] = UPLOADED.exec(path ?? '') ?? []
  return sha256 ? portraitPath(sha256, 640, 'jpeg') : null
}

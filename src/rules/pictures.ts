import { type CoverNote, imageSource, readCoverNote } from './cover-note.ts'

/** The widths, in pixels, in which an uploaded cover is served; the middle one is the `src`. */
export const COVER_WIDTHS = [160, 240, 320, 480, 640] as const
type CoverWidth = (typeof COVER_WIDTHS)[number]
export const COVER_FORMATS = ['avif', 'webp'] as const
export type CoverFormat = (typeof COVER_FORMATS)[number]

/**
 * The largest uploaded picture, in pixels: a photo of 64 megapixels, as phones take them. Further ones
 * need more memory than a worker has, however small their files are.
 */
export const PICTURE_MAX_PIXELS = 65_000_000

/** The height of a cover for its width: an exercise book of 17 by 22 cm. */
export const coverHeight = (width: number) => Math.round((width * 22) / 17)

export interface Covered {
  readonly coverPath?: string | null | undefined
  readonly livrePath?: string | null | undefined
  readonly coverMapping?:
    | {
        readonly coverPath?: string | null | undefined
        readonly livrePath?: string | null | undefined
        readonly color?: string | null | undefined
      }
    | null
    | undefined
}

/** A picture for a `<picture>` element; `sources` are better formats of it, the best one first. */
interface CoverPicture {
  readonly src: string
  readonly sources: readonly { readonly type: string; readonly srcSet: string }[]
}

const UPLOADED_COVER = /^\/media\/covers\/([\da-f]{64})-\d{1,4}\.webp$/

/** The path of an uploaded cover; `sha256` is the hash of its stored picture, in hexadecimal. */
export function coverPath(
  sha256: string,
  width: CoverWidth = 320,
  format: CoverFormat = 'webp',
): string {
  return `/media/covers/${sha256}-${width}.${format}`
}

/** The SHA-256 of the stored picture in the path of an uploaded cover; null for any other path. */
export function sha256OfCover(path: string): string | null {
  return UPLOADED_COVER.exec(path)?.[1] ?? null
}

/**
 * The picture of a document: its own cover, or else that of its mapping, or else the picture of the
 * book; null for the placeholder, if none of them is a picture.
 */
export function coverPicture(document: Covered): CoverPicture | null {
  const { coverMapping: mapping } = document
  for (const value of [
    document.coverPath,
    mapping?.coverPath,
    document.livrePath,
    mapping?.livrePath,
  ]) {
    const src = imageSource(value)
    if (src) return { src, sources: sourcesOf(src) }
  }
  return null
}

function sourcesOf(src: string): CoverPicture['sources'] {
  const [, sha256] = UPLOADED_COVER.exec(src) ?? []
  if (!sha256) return []
  return COVER_FORMATS.map((format) => ({
    type: `image/${format}`,
    srcSet: COVER_WIDTHS.map((width) => `${coverPath(sha256, width, format)} ${width}w`).join(', '),
  }))
}

/**
 * The note of a document's cover, as short as possible, since it is saved with each item of a cart.
 */
export function coverNote(
  document: Covered & { matiereCode?: string | null | undefined },
): CoverNote {
  return readCoverNote({
    subject: document.matiereCode,
    color: document.coverMapping?.color,
    picture: coverPicture(document)?.src,
  })
}

/** The widths, in pixels, in which a portrait is served; it is square. */
export const PORTRAIT_WIDTHS = [64, 96, 128, 160, 320, 640] as const
type PortraitWidth = (typeof PORTRAIT_WIDTHS)[number]
/** JPEG is for messengers that show the picture of a shared URL. */
export const PORTRAIT_FORMATS = ['webp', 'jpeg'] as const
export type PortraitFormat = (typeof PORTRAIT_FORMATS)[number]

const UPLOADED_PORTRAIT = /^\/media\/portraits\/([\da-f]{64})-\d{1,4}\.webp$/

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
  const [, sha256] = UPLOADED_PORTRAIT.exec(src) ?? []
  const widths = PORTRAIT_WIDTHS.slice(0, -1)
  return { src, srcSet: sha256 && widths.map((w) => `${portraitPath(sha256, w)} ${w}w`).join() }
}

/** The picture for a shared URL; null if the portrait was not uploaded here. */
export function sharedPortrait(path: string | null | undefined): string | null {
  const [, sha256] = UPLOADED_PORTRAIT.exec(path ?? '') ?? []
  return sha256 ? portraitPath(sha256, 640, 'jpeg') : null
}

/** Changes whenever what a picture shows does, so that caches fetch it anew. */
export function pictureVersion(shown: unknown): string {
  let hash = 0
  for (const char of JSON.stringify(shown)) {
    hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0
  }
  return hash.toString(36)
}

/** Returns the URL of a page's picture (pages count from 1); it expires after some minutes. */
export type PictureOf = (page: number) => string

/** The pictures below the path that a preview call has returned. */
export function picturesAt(path: unknown): PictureOf {
  const address = `/api/${String(path)
    .trim()
    .replace(/^[/\\]+/, '')}`
  return (page) => `${address}/${page}.webp`
}

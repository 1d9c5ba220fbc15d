/** The address of a page's picture, from 1; it is good for 10 minutes. */
export type PictureOf = (page: number) => string

/** The pictures below a path that a call has answered. */
export function picturesAt(path: unknown): PictureOf {
  const address = `/api/${String(path)
    .trim()
    .replace(/^[/\\]+/, '')}`
  return (page) => `${address}/${page}.webp`
}

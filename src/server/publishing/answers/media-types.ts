import { extname } from 'node:path'
import { contentType } from 'mime-types'

/** The media type that a file is served as, by its name. */
export function mediaTypeOf(file: string): string {
  return contentType(extname(file)) || 'application/octet-stream'
}

/** Whether files of this media type get smaller by compressing. */
export function isCompressible(mediaType: string): boolean {
  return /^text\/|javascript|json|xml|svg|manifest/.test(mediaType)
}

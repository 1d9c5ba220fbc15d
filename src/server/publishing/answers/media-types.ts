import { extname } from 'node:path'
import { contentType } from 'mime-types'

/** The media type of a file, by its name. */
export function mediaTypeOf(file: string): string {
  return contentType(extname(file)) || 'application/octet-stream'
}

/** Whether compressing makes files of this media type smaller. */
export function isCompressible(mediaType: string): boolean {
  return /^text\/|javascript|json|xml|svg|manifest/.test(mediaType)
}

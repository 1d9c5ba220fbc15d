import { normalForm } from './normal-form.ts'

/** The longest name of a downloaded file, without its ending; file systems allow 255 bytes. */
const FILE_NAME_MAX_LENGTH = 100

const UNNAMED = 'document'

/** The name of a downloaded file: in ASCII for every client, and in the script of the title. */
export type DownloadName = { ascii: string; utf8: string }

/**
 * The name of a downloaded file: the letters, digits, spaces, `-` and `_` of the title, with the
 * file type (`pdf`, `.pdf` or `application/pdf`) as the extension.
 */
export function downloadName(title: string, fileType: string): DownloadName {
  const ending = fileType
    .toLowerCase()
    .replace(/^.*[./]/, '')
    .replace(/[^a-z\d]/g, '')
  const named = (name: string) =>
    (/[\p{L}\p{Nd}]/u.test(name) ? name : UNNAMED) + (ending && `.${ending}`)
  return {
    ascii: named(kept(normalForm(title, 'NFKD'), /[^a-z\d _-]/gi)),
    // Composed first, since the accent of é alone is not a letter.
    utf8: named(kept(normalForm(title, 'NFC'), /[^\p{L}\p{Nd} _-]/gu)),
  }
}

/** The `Content-Disposition` header of a download. */
export function contentDisposition(title: string, fileType: string): string {
  const { ascii, utf8 } = downloadName(title, fileType)
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(utf8)}`
}

function kept(title: string, dropped: RegExp): string {
  const characters = [...title.replace(dropped, '').trim()]
  return characters.slice(0, FILE_NAME_MAX_LENGTH).join('').trim()
}

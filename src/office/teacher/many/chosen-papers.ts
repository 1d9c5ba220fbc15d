import { MANY_ARCHIVE_MAX_BYTES } from '../../../rules/many-files.ts'
import { UPLOAD_MAX_BYTES } from '../../../rules/uploads.ts'
import type { NamedFile } from '../imports/chosen-files.ts'
import { pdfOfPictures } from './picture-pdf.ts'

/** A file that becomes no document, and why. */
export interface Refused {
  readonly name: string
  readonly why: 'type' | 'picture' | 'archive' | 'tooLarge' | 'archiveTooLarge'
}

interface Papers {
  readonly papers: readonly NamedFile[]
  readonly refused: readonly Refused[]
}

const PICTURE = /\.(?:jpe?g|png|webp)$/i

/** What systems add to folders and ZIPs. */
const SYSTEM = /(?:^|\/)(?:__MACOSX\/|\.|Thumbs\.db$|desktop\.ini$)/i

/**
 * The PDFs among chosen files, also those inside their ZIPs. Pictures of the same folder become the
 * pages of one PDF, in the order of their names.
 */
export async function papersIn(chosen: readonly NamedFile[]): Promise<Papers> {
  const refused: Refused[] = []
  const papers: NamedFile[] = []
  const folders = new Map<string, NamedFile[]>()
  for (const each of await unpacked(chosen, refused)) {
    const { name, file } = each
    if (SYSTEM.test(name)) continue
    if (PICTURE.test(name)) {
      const folder = name.slice(0, name.lastIndexOf('/') + 1)
      folders.set(folder, [...(folders.get(folder) ?? []), each])
    } else if (!/\.pdf$/i.test(name)) refused.push({ name, why: 'type' })
    else if (file.size > UPLOAD_MAX_BYTES.document) refused.push({ name, why: 'tooLarge' })
    else papers.push(each)
  }
  for (const [folder, pictures] of folders) {
    const pages = pictures.toSorted((one, other) => inOrder.compare(one.name, other.name))
    const name = folder ? folder.slice(0, -1) : (pages[0]?.name ?? '').replace(PICTURE, '')
    const made = await pdfOfPictures(pages, `${lastPart(name)}.pdf`)
    if (made instanceof File) papers.push({ name: `${name}.pdf`, file: made })
    else refused.push(...made.map((unread) => ({ name: unread, why: 'picture' as const })))
  }
  return { papers, refused }
}

/** `page 2` comes before `page 10`. */
const inOrder = new Intl.Collator('en', { numeric: true })

const lastPart = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

async function unpacked(
  chosen: readonly NamedFile[],
  refused: Refused[],
): Promise<readonly NamedFile[]> {
  const files: NamedFile[] = []
  for (const each of chosen) {
    const { name, file } = each
    if (!/\.zip$/i.test(name)) files.push(each)
    else if (file.size > MANY_ARCHIVE_MAX_BYTES) refused.push({ name, why: 'archiveTooLarge' })
    else {
      try {
        files.push(...(await filesOf(file)))
      } catch {
        refused.push({ name, why: 'archive' })
      }
    }
  }
  return files
}

/** The PDFs and pictures of a ZIP; of one that claims to hold more than it may, none. */
async function filesOf(archive: File): Promise<NamedFile[]> {
  const { unzipSync } = await import('fflate')
  const bytes = new Uint8Array(await archive.arrayBuffer())
  let size = 0
  const entries = unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (!/\.pdf$/i.test(name) && !PICTURE.test(name)) return false
      size += originalSize
      if (size > MANY_ARCHIVE_MAX_BYTES) throw new Error('larger than it may be')
      return true
    },
  })
  return Object.entries(entries).map(([name, content]) => ({
    name,
    file: new File([content as Uint8Array<ArrayBuffer>], lastPart(name)),
  }))
}

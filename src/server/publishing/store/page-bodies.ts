import {
  compressBrotli,
  compressGzip,
  decompressBrotli,
  decompressGzip,
} from '../answers/compression.ts'
import {
  compressZstd,
  type Dictionaries,
  type Dictionary,
  decompressZstd,
} from '../answers/dictionary.ts'
import {
  type Form,
  type MakeBody,
  Representation,
  type RepresentationParts,
} from '../answers/representation.ts'
import type { PageMeta } from './page-file.ts'
import { createSqueezing } from './squeezing.ts'

/** The quality of brotli for pages that are requested often: 7 % fewer bytes, in 50 ms or more. */
const SQUEEZED = 10

/** A body of a page; `zstd` means without a dictionary, the stored form where there is none. */
interface Source {
  readonly form: Form | 'zstd'
  readonly body: Buffer
}

/** How pages are compressed: with brotli (0–11), with zstd (1–22). */
export interface Effort {
  readonly brotli: number
  readonly zstd: number
}

type PageBodies = ReturnType<typeof pageBodies>

/**
 * Makes the bodies of a page from an existing one; `rendered` is its HTML if that was just made.
 */
export function pageBodies(first: Source, { brotli, zstd }: Effort, rendered?: Buffer) {
  let source = first
  // Weak, since the request that caused the rendering is answered before the memory is collected,
  // and nothing else needs the HTML.
  const recent = rendered && new WeakRef(rendered)
  const html = async () => recent?.deref() ?? unpacked(source)

  async function compressed(form: Exclude<Form, 'identity'>): Promise<Buffer> {
    if (form === 'br') return compressBrotli(await html(), brotli)
    if (form === 'gzip') return compressGzip(await html(), 6)
    return compressZstd(await html(), form, zstd)
  }

  const body: MakeBody = async (form) => {
    if (form === 'identity') return html()
    const made = await compressed(form)
    // The HTML is kept only until there is a smaller body.
    if (source.form === 'identity') source = { form, body: made }
    return made
  }

  return {
    body,
    /** The HTML compressed with brotli of this quality. */
    squeezed: async (quality: number) => compressBrotli(await html(), quality),
    /** The body for the store. */
    stored: async (dictionary: Dictionary | undefined) =>
      compressZstd(await html(), dictionary, zstd),
  }
}

async function unpacked({ form, body }: Source): Promise<Buffer> {
  if (form === 'identity') return body
  if (form === 'br') return decompressBrotli(body)
  if (form === 'gzip') return decompressGzip(body)
  return decompressZstd(body, form === 'zstd' ? undefined : form)
}

interface Further {
  compressed?: RepresentationParts['compressed'] | undefined
  /** Called when the page is requested often. */
  onOften?: () => Promise<void>
}

/** Makes answers of pages and their bodies. */
export function pagePresenter(
  { offer: offerFor, find }: Dictionaries,
  report: (message: string, error: unknown) => void,
) {
  const squeeze = createSqueezing()

  return (
    { path, status, hash, headers }: PageMeta,
    bodies: PageBodies,
    { compressed, onOften }: Further,
  ): Representation => {
    const offer = offerFor(path)
    const page = new Representation({
      status,
      hash,
      headers,
      bodies: {},
      ...(compressed && { compressed }),
      make: { encodings: ['br', 'gzip', 'identity'], body: bodies.body },
      ...(offer && { offer, find }),
    })
    page.onOften = (form) => {
      if (form === 'br') squeeze(async () => page.improve(await bodies.squeezed(SQUEEZED)))
      onOften?.().catch((error) => report(`The page ${path} cannot be stored.`, error))
    }
    return page
  }
}
